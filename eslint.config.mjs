// The linter's rules for the extension of VS Code, for the page of `dovetail play`, and for the tests of both.
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

/** The names that Node and the browser define for every module. */
const globals = Object.fromEntries(
  [
    "atob", "Blob", "Buffer", "clearTimeout", "console", "createImageBitmap", "document", "Event", "fetch", "getComputedStyle",
    "NodeFilter", "OffscreenCanvas", "process", "setTimeout", "URL", "window",
  ].map((name) => [name, "readonly"]));

export default defineConfig(
  { ignores: ["**/dist/", "**/node_modules/", ".venv/", "build/", "server/dovetail/play/page/page.js", "tests/cases/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.mjs"],
    extends: [js.configs.recommended],
    languageOptions: { globals },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
  },
  ...["client-vscode", "client-play"].map((client) => ({
    files: [`${client}/**/*.ts`],
    extends: [js.configs.recommended, typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: `${client}/tsconfig.json`, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // Node's runner waits for the tests of a file by itself.
      "@typescript-eslint/no-floating-promises": [
        "error", { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] },
      ],
    },
  })),
);

// Parsers of JavaScript, JSX, TypeScript and JSON with comments. Each is a function from a text to an answer
// `{ accepts, early, message }`: `early` is the name of an early error, where no other error was found, and null otherwise.
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { nameOfBabelError, nameOfMessage } from "./early_errors.mjs";

/** The folder that `make javascript-parsers` fills. */
export const FOLDER = process.env.DOVETAIL_JAVASCRIPT
  ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "dovetail-tests", "javascript");
const load = createRequire(join(FOLDER, "package.json"));

const YES = { accepts: true, early: null, message: "" };
const no = (message, early = null) => ({ accepts: false, early, message: message.replace(/\s+/g, " ").trim() });

/** Errors in order, of which the first error of syntax decides, and without one the first early error. */
function judged(errors) {
  if (errors.length === 0) return YES;
  const worst = errors.find(({ early }) => early === null) ?? errors[0];
  return no(worst.message, worst.early);
}

/** acorn by edition; it goes on after those errors that it calls recoverable. */
export function acorn(edition, goal, jsx) {
  const { Parser } = load("acorn");
  let errors = [];
  const Collecting = (jsx ? Parser.extend(load("acorn-jsx")()) : Parser).extend((Base) => class extends Base {
    raiseRecoverable(_, message) { errors.push({ message, early: nameOfMessage(message) }); }
  });
  return (text) => {
    errors = [];
    try {
      Collecting.parse(text, { ecmaVersion: edition, sourceType: goal });
    } catch (error) {
      if (!(error instanceof SyntaxError)) {
        if (errors.length === 0) throw error;
        return judged(errors);    // acorn relied on what it had found missing
      }
      const message = error.message.replace(/ \(\d+:\d+\)$/, "");
      // acorn has no other words for an octal number in strict mode.
      const octal = message === "Invalid number" && /^0\d+/.test(text.slice(error.pos));
      errors.push({ message, early: octal ? "strict mode" : nameOfMessage(message) });
    }
    return judged(errors);
  };
}

/** The V8 of this Node, which stops at the first error. */
export function v8(goal) {
  const compile = goal === "module"
    ? (text) => new vm.SourceTextModule(text)
    : (text) => new vm.Script(text);
  return (text) => {
    try {
      compile(text);
      return YES;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return no(error.message, nameOfMessage(error.message));
    }
  };
}

/** oxc: what its parser says is syntax, as far as no name is known for it; what its second pass adds is early. */
export function oxc(language, goal) {
  const { parseSync } = load("oxc-parser");
  const options = { lang: language, sourceType: goal };
  return (text) => {
    const { errors } = parseSync(`text.${language}`, text, options);
    if (errors.length > 0) return judged(errors.map(({ message }) => ({ message, early: nameOfMessage(message) })));
    const [found] = parseSync(`text.${language}`, text, { ...options, showSemanticErrors: true }).errors;
    return found === undefined ? YES : no(found.message, nameOfMessage(found.message) ?? "other");
  };
}

/** Babel, which goes on after most errors. `plugins` are names of syntax beside the standard. */
export function babel(goal, plugins) {
  const { parse } = load("@babel/parser");
  const options = { sourceType: goal, plugins, errorRecovery: true, attachComment: false, ranges: false };
  return (text) => {
    const errors = [];
    try {
      errors.push(...parse(text, options).errors);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      errors.push(error);
    }
    return judged(errors.map((error) => (
      { message: error.message.replace(/ \(\d+:\d+\)$/, ""), early: nameOfBabelError(error) })));
  };
}

/** Codes below 2000 that depend on the compiler's settings, and not on the text. */
const SETTINGS = new Set([1202, 1203, 1208, 1259, 1286, 1287, 1295, 1323, 1324, 1343, 1378, 1432, 1470, 1471, 1479, 1484, 1485, 1541, 1542, 1543]);

/** TypeScript: what `parseDiagnostics` hold is syntax; grammar errors of its checker are early, and named by code. */
export function typescript(version, language) {
  const ts = load(`typescript-${version}`);
  const name = `text.${language}`;
  const kind = { ts: ts.ScriptKind.TS, "d.ts": ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX }[language];
  return (text) => {
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, kind);
    const say = ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ");
    if (source.parseDiagnostics.length > 0) {
      const errors = source.parseDiagnostics.map((found) => ({ message: say(found), early: nameOfMessage(say(found)) }));
      return judged(errors);
    }
    const check = (experimentalDecorators) => grammarErrors(ts, name, source, experimentalDecorators);
    let found = check(true);
    if (found.length > 0 && text.includes("@")) found = check(false).length > 0 ? found : [];
    return found.length === 0 ? YES : no(say(found[0]), `TS${found[0].code}`);
  };
}

function grammarErrors(ts, name, source, experimentalDecorators) {
  const options = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, noLib: true, noResolve: true,
    types: [], experimentalDecorators, skipLibCheck: false,
  };
  const host = {
    getSourceFile: (asked) => asked === name ? source : undefined,
    getDefaultLibFileName: () => "lib.d.ts", getCurrentDirectory: () => "/", getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true, getNewLine: () => "\n", fileExists: (path) => path === name,
    readFile: () => undefined, writeFile: () => {}, directoryExists: () => false, getDirectories: () => [],
  };
  const program = ts.createProgram({ rootNames: [name], options, host });
  return program.getSemanticDiagnostics(source)
    .filter(({ code, category }) => category === ts.DiagnosticCategory.Error && code < 2000 && !SETTINGS.has(code));
}

/** VS Code's parser of JSON with comments. */
export function jsonc(allowTrailingComma) {
  const { parse, printParseErrorCode } = load("jsonc-parser");
  return (text) => {
    const errors = [];
    parse(text, errors, { allowTrailingComma });
    return errors.length === 0 ? YES : no(printParseErrorCode(errors[0].error));
  };
}

/** TypeScript's parser of `tsconfig.json`. */
export function tsconfig(version) {
  const ts = load(`typescript-${version}`);
  return (text) => {
    const { error } = ts.parseConfigFileTextToJson("/tsconfig.json", text);
    const early = error?.code === 5092 ? "not an object" : null;
    return error === undefined ? YES : no(ts.flattenDiagnosticMessageText(error.messageText, " "), early);
  };
}

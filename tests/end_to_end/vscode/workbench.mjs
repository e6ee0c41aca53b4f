// A real VS Code in a browser, isolated in a new folder, with the actions of a person.
// Each action waits for a visible effect, never for a fixed time.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, openProxy, patience, start, started, until } from "./programs.mjs";

export { freePort, patience, until };

const tools = process.env.DOVETAIL_E2E_TOOLS;
if (tools === undefined) {
  throw new Error("Set DOVETAIL_E2E_TOOLS to the folder that install.sh prints.");
}
const { chromium } = createRequire(join(tools, "browser", "package.json"))("playwright-core");

/** The checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** The command line of the checkout's server. */
export const serverCommand = [join(root, ".venv", "bin", "python"), "-m", "dovetail", "serve"];

/** Milliseconds in which a file is written: VS Code empties it first. */
const WRITING = 10_000;

const settings = {
  "chat.disableAIFeatures": true,
  "dovetail.host.idle": 0,   // the model's process ends with the run
  "editor.fontFamily": "DejaVu Sans Mono",
  "editor.minimap.enabled": false,
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.commandCenter": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

/**
 * Return the environment of a VS Code whose home is in a folder.
 *
 * The cached tables of the languages are kept beside the tools: building them takes long on a busy machine. Without a
 * `proxy` nothing is kept from one run to the next, and a server of its own may be downloaded.
 */
function environmentIn(run, proxy) {
  const home = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,   // VS Code runs with the Node of these tests
    HOME: join(run, "home"),
    XDG_CONFIG_HOME: join(run, "home", ".config"),
    XDG_DATA_HOME: join(run, "home", ".local", "share"),
    XDG_CACHE_HOME: join(tools, "cache"),
    DOVETAIL_HOSTS: join(run, "hosts"),   // windows of other runs have another process
    PYTHONPATH: join(root, "server"),
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "", itemUrl: "", resourceUrlTemplate: "" }),
  };
  if (proxy === undefined) {
    return { ...home, XDG_CACHE_HOME: join(run, "home", ".cache"), PYTHONPATH: "" };
  }
  return {
    ...home,
    ...Object.fromEntries(
      ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [[name, proxy], [name.toUpperCase(), proxy]])),
    no_proxy: "127.0.0.1,localhost",
    NO_PROXY: "127.0.0.1,localhost",
  };
}

/**
 * Create a folder for one run, with settings and the files of a workspace (path → text).
 *
 * Settings of the scope `machine` must be in the machine's settings: VS Code ignores them in a browser's user settings.
 */
function prepare(machineSettings, userSettings, files) {
  const run = mkdtempSync(join(tmpdir(), "dovetail-vscode-"));
  for (const folder of ["home", join("data", "User"), join("data", "Machine"), "extensions", "workspace"]) {
    mkdirSync(join(run, folder), { recursive: true });
  }
  writeFileSync(join(run, "data", "User", "settings.json"), JSON.stringify(userSettings));
  writeFileSync(join(run, "data", "Machine", "settings.json"), JSON.stringify(machineSettings));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(run, "workspace", path)), { recursive: true });
    writeFileSync(join(run, "workspace", path), text);
  }
  return run;
}

/** Open a browser that records in `strangers` every other host that it contacts. */
async function browse(strangers) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
      "--disable-component-update", "--no-first-run", "--disable-sync", "--disable-domain-reliability"],
  });
  const page = await browser.newPage({ viewport: { width: 1000, height: 560 } });
  page.setDefaultTimeout(patience);
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !/^(127\.0\.0\.1|localhost)$/.test(hostname)) {
      strangers.add(hostname);
    }
  });
  return { browser, page };
}

/**
 * Run tests inside the extension host, with the extension of the checkout; return their exit code and output.
 *
 * `tests` is a module that exports `run`. VS Code's own server, which code-server contains, can run such tests.
 */
export async function runInHost(tests, machineSettings) {
  const strangers = new Set();
  const run = prepare({ ...settings, ...machineSettings }, {}, {});
  const port = await freePort();
  const program = join(tools, "code-server", "node_modules", "code-server", "lib", "vscode", "out", "server-main.js");
  const { child, listening } = start(process.execPath, [
    program, "--host", "127.0.0.1", "--port", `${port}`, "--without-connection-token", "--accept-server-license-terms",
    "--enable-smoke-test-driver", "--telemetry-level", "off", "--server-data-dir", run,
    "--user-data-dir", join(run, "data"), "--extensions-dir", join(run, "extensions"),
  ], environmentIn(run, await openProxy(strangers)));
  let browser;
  try {
    await listening;
    const opened = await browse(strangers);
    browser = opened.browser;
    const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
    const payload = JSON.stringify([
      ["extensionDevelopmentPath", remote(join(root, "client-vscode"))], ["extensionTestsPath", remote(tests)]]);
    const lines = [];
    const ended = new Promise((resolve) => {
      void opened.page.exposeFunction("codeAutomationLog", (_kind, words) => {
        lines.push(words.join(" "));
      });
      void opened.page.exposeFunction("codeAutomationExit", resolve);
    });
    await opened.page.goto(
      `http://127.0.0.1:${port}/?folder=${join(run, "workspace")}&payload=${encodeURIComponent(payload)}`,
      { waitUntil: "domcontentloaded" });
    const code = await ended;
    return { code, lines, strangers };
  } finally {
    await end(child, browser, run);
  }
}

/** Stop the programs of a run, and remove its folder. */
async function end(child, browser, run) {
  await browser?.close();
  if (started.has(child)) {
    const ended = new Promise((resolve) => child.once("close", resolve));
    process.kill(-child.pid, "SIGTERM");
    await ended;
  }
  rmSync(run, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** A workbench with the packaged extension. */
export class Workbench {
  /** Start VS Code on a workspace with the given files; `fresh`: as on a machine without Dovetail, with a network. */
  static async open(machineSettings, userSettings, files, { fresh = false } = {}) {
    const strangers = new Set();
    const run = prepare(machineSettings, { ...settings, ...userSettings }, files);
    const port = await freePort();
    const environment = environmentIn(run, fresh ? undefined : await openProxy(strangers));
    const program = join(tools, "code-server", "node_modules", ".bin", "code-server");
    const places = ["--user-data-dir", join(run, "data"), "--extensions-dir", join(run, "extensions")];
    const installed = spawnSync(
      program, [...places, "--install-extension", join(root, "client-vscode", "dist", "dovetail.vsix")],
      { env: environment, encoding: "utf8" });
    if (installed.status !== 0) {
      throw new Error(`The extension could not be installed:\n${installed.stdout}${installed.stderr}`);
    }
    const { child, listening } = start(program, [
      ...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check",
      "--disable-getting-started-override",
    ], environment);
    let browser;
    try {
      await listening;
      const opened = await browse(strangers);
      browser = opened.browser;
      const { page } = opened;
      await page.goto(`http://127.0.0.1:${port}/?folder=${join(run, "workspace")}`, { waitUntil: "domcontentloaded" });
      await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: patience });
      return Object.assign(new Workbench(), { run, child, browser, page, strangers });
    } catch (error) {
      await end(child, browser, run);
      throw error;
    }
  }

  /** Stop everything, and remove the folder. */
  async close() {
    await end(this.child, this.browser, this.run);
  }

  /** Open a file of the workspace in the editor. */
  async openFile(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, { timeout: patience });
    await this.page.locator(".monaco-editor .view-lines").first().click();
  }

  /** Put the cursor at the end of a line, counted from 1. */
  async goToEndOf(line) {
    await this.press("Control+Home");
    for (let above = 1; above < line; above += 1) {
      await this.press("ArrowDown");
    }
    await this.press("End");
  }

  async press(keys) {
    await this.page.keyboard.press(keys);
  }

  async type(text) {
    await this.page.keyboard.type(text, { delay: 60 });
  }

  /** Wait until the status bar shows an icon such as `check` or `error`; return the item's tooltip. */
  async status(icon, time = patience) {
    const item = this.page.locator(`.statusbar-item[id="dovetail.dovetail.dovetail"]:has(.codicon-${icon})`);
    await item.waitFor({ timeout: time });
    return item.getAttribute("aria-label");
  }

  /** Return whether the status bar item shows an `error`, a `warning`, or is `plain`. */
  async severity() {
    const kinds = await this.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"]').getAttribute("class");
    return kinds.includes("error-kind") ? "error" : kinds.includes("warning-kind") ? "warning" : "plain";
  }

  /** Open the menu of the status bar item. */
  async clickStatus() {
    await this.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"] a').first().click();
    await this.page.waitForSelector(".quick-input-list .monaco-list-row", { timeout: patience });
  }

  /** Wait for ghost text other than the given texts; return it. */
  async ghostText(...others) {
    const read = (others) => {
      const text = [...document.querySelectorAll(".monaco-editor [class*='ghost-text-decoration']")]
        .map((element) => element.textContent).join("").replaceAll("\u00a0", " ");
      return text !== "" && !others.includes(text) && text;
    };
    return (await this.page.waitForFunction(read, others, { timeout: patience })).jsonValue();
  }

  /** Wait until the ghost text has these lines, blanks around them apart. */
  async suggested(lines) {
    const shown = (lines) => {
      const read = (elements) => elements.map((element) => element.textContent).join("").replaceAll("\u00a0", " ").trim();
      const here = document.querySelectorAll(".monaco-editor [class*='ghost-text-decoration']");
      const below = document.querySelectorAll(".monaco-editor .suggest-preview-text .view-line");
      const found = [read([...here]), ...[...below].map((line) => read([line]))];
      return found.join("\n") === lines.join("\n");
    };
    await this.page.waitForFunction(shown, lines, { timeout: patience });
  }

  /** Return whether there is ghost text. */
  async hasGhostText() {
    return await this.page.locator(".monaco-editor [class*='ghost-text-decoration']").count() > 0;
  }

  /** Wait until there is no ghost text. */
  async noGhostText() {
    await this.page.waitForFunction(
      () => document.querySelector(".monaco-editor [class*='ghost-text-decoration']") === null, null, { timeout: patience });
  }

  /** Run a command by its title. */
  async command(title) {
    await this.press("F1");
    await this.page.waitForSelector(".quick-input-widget .quick-input-box input", { state: "visible" });
    await this.page.keyboard.type(title);
    await this.choose(title);
  }

  /** Choose an entry of the open list by its label. */
  async choose(label) {
    await this.page.locator(".quick-input-list .monaco-list-row .label-name")
      .filter({ hasText: new RegExp(`^\\s*${RegExp.escape(label)}$`) }).click();      // an icon leaves a blank
  }

  /** Wait for a message that contains a text; return the whole message, and close it. */
  async message(text) {
    const toast = this.page.locator(".notification-toast", { hasText: text }).first();
    await toast.waitFor({ timeout: patience });
    const message = await toast.locator(".notification-list-item-message").first().innerText();
    await this.command("Notifications: Clear All Notifications");
    return message;
  }

  /** Save the file, assert that its text satisfies `holds`, and return the text. */
  async saved(name, holds) {
    await this.press("Control+s");
    const file = join(this.run, "workspace", name);
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]:not(.dirty)`, { timeout: patience });
    const end = Date.now() + WRITING;
    // VS Code empties a file before it writes: a text counts when it is read twice in a row.
    for (let earlier, text; ; earlier = text) {
      text = readFileSync(file, "utf8");
      if (text === earlier && holds(text)) {
        return text;
      }
      if (Date.now() > end) {
        throw new Error(`${name} was saved with another text:\n${text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Return the log of the extension and its server. */
  log() {
    return readdirSync(join(this.run, "data"), { recursive: true }).filter((path) => path.endsWith("Dovetail.log"))
      .map((path) => readFileSync(join(this.run, "data", path), "utf8")).join("\n");
  }

  /** Return the process ids of this workbench's servers. */
  servers() {
    return this.processes("dovetail\0serve\0");
  }

  /** Return the process ids of the processes that hold the models of this workbench's servers, and that they share. */
  modelProcesses() {
    return this.processes("dovetail.completer.host.process\0");
  }

  /** Return the ids of this workbench's processes whose command line contains some words. */
  processes(words) {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "utf8").includes(words)
          && readFileSync(`/proc/${id}/environ`, "utf8").includes(`HOME=${join(this.run, "home")}\0`);
      } catch {
        return false;   // it has ended in the meantime
      }
    }).map(Number);
  }
}

// The page of `dovetail play` in a real browser. Each action waits for a visible effect, never for a fixed time.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const tools = process.env.DOVETAIL_E2E_TOOLS;
if (tools === undefined) {
  throw new Error("Set DOVETAIL_E2E_TOOLS to the folder of the browser; `python -m tests.end_to_end play` does so.");
}
const { chromium } = createRequire(join(tools, "browser", "package.json"))("playwright-core");

/** The checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Milliseconds to wait on a busy machine. */
const patience = 120_000;

/** The grammar of the worked example in ARCHITECTURE.md. */
export const nested = 'start: "(" start ")" | "x"\n';

/** Start the server with a grammar, at a place of a file if one is given; return process, address and paths. */
async function serve(grammar, opened) {
  const folder = mkdtempSync(join(tmpdir(), "dovetail-play-"));
  const path = join(folder, "nested.lark");
  writeFileSync(path, grammar);
  const python = process.env.DOVETAIL_E2E_PYTHON ?? join(root, ".venv", "bin", "python");
  const words = ["-m", "dovetail", "play", "--no-browser", "--grammar", path];
  if (opened !== undefined) {
    writeFileSync(join(folder, opened.name), opened.text);
    words.push(`${join(folder, opened.name)}:${opened.place}`);
  }
  const server = spawn(python, words, {
    env: { ...process.env, PYTHONPATH: join(root, "server") }, stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    server.stdout.on("data", (piece) => {
      said += piece;
      const found = /http\S+/.exec(said);
      if (found !== null) {
        resolve(found[0]);
      }
    });
    server.once("exit", () => reject(new Error(`The server ended:\n${said}`)));
  });
  return { server, address, path, folder };
}

/**
 * Open the page in a new browser and call `act` with its actions; fail afterwards if the page reported an error, broke
 * its own policy, or asked another server for anything. `opened`: a file's name and text, and the place `LINE:COLUMN`.
 */
export async function withPage(act, { opened, ...options } = {}) {
  const { server, address, path, folder } = await serve(nested, opened);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const view = await context.newPage();
    view.setDefaultTimeout(patience);
    const complaints = [];
    view.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    view.on("pageerror", (error) => complaints.push(String(error)));
    view.on("request", (request) => request.url().startsWith(address) || complaints.push(`asked ${request.url()}`));
    await view.goto(address);
    const page = new Page(view, path, server);
    await page.settled();
    await act(page);
    assert.deepEqual(complaints.filter((complaint) => !page.forgiven.test(complaint)), []);
  } finally {
    await browser.close();
    server.kill("SIGINT");
    rmSync(folder, { recursive: true });
  }
}

class Page {
  constructor(view, grammar, server) {
    this.view = view;
    this.grammar = grammar;
    this.server = server;
    this.forgiven = /^$/;     // complaints that a test causes on purpose
  }

  /** Wait until everything that was asked is answered. */
  async settled() {
    await this.view.waitForFunction(() => document.body.dataset.busy === "false");
  }

  /** Replace the text; the bar is the cursor. */
  async write(marked) {
    const [left, right] = marked.split("|");
    await this.view.click(".cm-content");
    await this.view.keyboard.press("ControlOrMeta+a");
    await this.view.keyboard.press("Delete");
    await this.view.keyboard.insertText(left + right);
    for (let index = 0; index < right.length; index += 1) {
      await this.view.keyboard.press("ArrowLeft");
    }
    await this.settled();
  }

  /** Return the text of the editor. */
  async text() {
    return (await this.view.locator(".cm-line").allInnerTexts()).map((line) => line.replace("\n", "")).join("\n");
  }

  /** Return the visible text of the element with an id, its blanks made one. */
  async says(id) {
    return (await this.view.locator(`#${id}`).innerText()).replaceAll(/\s+/g, " ").trim();
  }

  /** Wait until the element with an id shows a text. */
  async until(id, text) {
    await this.view.locator(`#${id}`, { hasText: text }).waitFor();
  }

  /** Return the boxes of each parse stack that is shown. */
  async stacks() {
    return Promise.all((await this.view.locator(".stack").all()).map((stack) => stack.locator("li").allInnerTexts()));
  }
}

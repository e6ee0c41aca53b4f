/** The server's own Python environment, in the folder that VS Code gives the extension. */

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { isThere } from "./programs";

/** One step of an installation: what is run, and what the user reads meanwhile. */
export interface Step {
  readonly says: string;
  readonly program: string;
  readonly words: readonly string[];
  /** Whether the steps after it are of use without it. */
  readonly optional?: boolean;
}

/**
 * Where torch comes from that needs no graphics card; elsewhere than on Linux that is what an index has anyway.
 *
 * Asked for torch and what torch needs alone, once each and not for long: where it cannot be reached, pip would try
 * it again for every package of the server.
 */
const PROCESSOR_ONLY: readonly string[] = [
  "--index-url", "https://download.pytorch.org/whl/cpu", "--retries", "0", "--timeout", "5", "torch",
];

const PIP: readonly string[] = [
  "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off",
];

/** Written last, so an installation that was broken off does not pass for one; holds what was installed. */
const MARK = "dovetail.json";

/** The server's environment below a folder of the extension. */
export class Environment {
  /** The environment's folder. */
  readonly folder: string;
  /** The environment's Python. */
  readonly python: string;

  constructor(storage: string, platform: NodeJS.Platform = process.platform) {
    this.folder = path.join(storage, "environment");
    this.python = platform === "win32"
      ? path.join(this.folder, "Scripts", "python.exe")
      : path.join(this.folder, "bin", "python");
  }

  /** Return what was installed, or null where nothing was, or not to the end. */
  async installed(): Promise<string | null> {
    try {
      const mark: unknown = JSON.parse(await readFile(path.join(this.folder, MARK), "utf8"));
      const holds = typeof mark === "object" && mark !== null && "package" in mark && typeof mark.package === "string";
      return holds && await isThere(this.python) ? mark.package as string : null;
    } catch {
      return null;
    }
  }

  /** Return whether another version of the server is installed than the one that a package holds. */
  async isOutdated(source: string | null): Promise<boolean> {
    const installed = await this.installed();
    return source !== null && installed !== null && installed !== path.basename(source);
  }

  /** Return the command that starts the server from here, or null where it is not installed. */
  async command(): Promise<readonly [string, ...string[]] | null> {
    return await this.installed() === null ? null : [this.python, "-I", "-m", "dovetail", "serve"];
  }

  /** Return what an installation runs, in this order; `processor`: with a torch that needs no graphics card. */
  steps(python: string, source: string, pipArguments: readonly string[], processor = false): Step[] {
    const torch: Step = {
      says: "fetching PyTorch for the processor",
      program: this.python,
      words: [...PIP, ...pipArguments, ...PROCESSOR_ONLY],
      optional: true,
    };
    return [
      { says: "making an environment", program: python, words: ["-I", "-m", "venv", this.folder] },
      ...(processor ? [torch] : []),
      ...this.lastSteps(source, pipArguments),
    ];
  }

  /** Return what brings the server into an environment that is there, or another version of it. */
  private lastSteps(source: string, pipArguments: readonly string[]): Step[] {
    return [
      {
        says: "fetching what the server needs",
        program: this.python,
        words: [...PIP, ...pipArguments, `${source}[model]`],
      },
      { says: "trying the server", program: this.python, words: ["-I", "-m", "dovetail", "--version"] },
    ];
  }

  /**
   * Install the server; return null, or the sentence that says what failed.
   *
   * `perform` runs a step and returns whether it succeeded. What was there before is gone from the start on,
   * so the server must not run from it.
   */
  async install(
    python: string, source: string, pipArguments: readonly string[], perform: (step: Step) => Promise<boolean>,
    processor = false,
  ): Promise<string | null> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(path.dirname(this.folder), { recursive: true });
    return await this.perform(this.steps(python, source, pipArguments, processor), source, perform);
  }

  /**
   * Put another version of the server in the place of the installed one; return null, or what failed.
   *
   * What the two share, as PyTorch, is not fetched again. Like after `install`, one that failed is none.
   */
  async update(
    source: string, pipArguments: readonly string[], perform: (step: Step) => Promise<boolean>,
  ): Promise<string | null> {
    await rm(path.join(this.folder, MARK), { force: true });
    return await this.perform(this.lastSteps(source, pipArguments), source, perform);
  }

  private async perform(
    steps: readonly Step[], source: string, perform: (step: Step) => Promise<boolean>,
  ): Promise<string | null> {
    for (const step of steps) {
      if (!await perform(step) && step.optional !== true) {
        return `The server could not be installed: ${step.says} failed; the log says more.`;
      }
    }
    await writeFile(path.join(this.folder, MARK), JSON.stringify({ package: path.basename(source) }));
    return null;
  }
}

/**
 * Return what the server is installed from: the wheel in the extension, or the checkout that the extension is in.
 *
 * Never a name that an index would look up: whoever registers it there could be anyone.
 */
export async function packageOf(extension: string): Promise<string | null> {
  const wheels = await readdir(path.join(extension, "server")).catch(() => []);
  const wheel = wheels.filter((name) => name.endsWith(".whl")).sort().at(-1);
  if (wheel !== undefined) {
    return path.join(extension, "server", wheel);
  }
  const checkout = path.dirname(extension);
  return await isThere(path.join(checkout, "server", "dovetail", "__main__.py")) ? checkout : null;
}

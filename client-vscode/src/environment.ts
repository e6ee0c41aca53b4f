/** The server's own Python environment, in the extension's storage folder. */

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { isThere } from "./programs";

/** One step of an installation: a command line, and the text that is shown while it runs. */
export interface Step {
  readonly says: string;
  readonly program: string;
  readonly words: readonly string[];
  /** If true, the installation continues when this step fails. */
  readonly optional?: boolean;
}

/**
 * pip's arguments for the build of torch without CUDA. On other systems than Linux the default build has no CUDA.
 *
 * Only torch and its dependencies come from this index, with one short attempt each: if the index cannot be reached,
 * pip would otherwise retry it for every package of the server.
 */
const PROCESSOR_ONLY: readonly string[] = [
  "--index-url", "https://download.pytorch.org/whl/cpu", "--retries", "0", "--timeout", "5", "torch",
];

const PIP: readonly string[] = [
  "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off",
];

/** The file that marks a complete installation. It is written last and holds the name of the installed package. */
const MARK = "dovetail.json";

/** The server's environment inside the extension's storage folder. */
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

  /** Return the name of the installed package, or null if there is no complete installation. */
  async installed(): Promise<string | null> {
    try {
      const mark: unknown = JSON.parse(await readFile(path.join(this.folder, MARK), "utf8"));
      const holds = typeof mark === "object" && mark !== null && "package" in mark && typeof mark.package === "string";
      return holds && await isThere(this.python) ? mark.package as string : null;
    } catch {
      return null;
    }
  }

  /** Return whether the installed server has a version other than that of a package. */
  async isOutdated(source: string | null): Promise<boolean> {
    const installed = await this.installed();
    return source !== null && installed !== null && installed !== path.basename(source);
  }

  /** Return the command that starts the installed server, or null if it is not installed. */
  async command(): Promise<readonly [string, ...string[]] | null> {
    return await this.installed() === null ? null : [this.python, "-I", "-m", "dovetail", "serve"];
  }

  /** Return the steps of an installation, in order; `processor` adds the build of torch without CUDA. */
  steps(python: string, source: string, pipArguments: readonly string[], processor = false): Step[] {
    const torch: Step = {
      says: "downloading PyTorch for the processor",
      program: this.python,
      words: [...PIP, ...pipArguments, ...PROCESSOR_ONLY],
      optional: true,
    };
    return [
      { says: "creating an environment", program: python, words: ["-I", "-m", "venv", this.folder] },
      ...(processor ? [torch] : []),
      ...this.lastSteps(source, pipArguments),
    ];
  }

  /** Return the steps that install or update the server in an existing environment. */
  private lastSteps(source: string, pipArguments: readonly string[]): Step[] {
    return [
      {
        says: "downloading the server's packages",
        program: this.python,
        words: [...PIP, ...pipArguments, `${source}[model]`],
      },
      { says: "testing the server", program: this.python, words: ["-I", "-m", "dovetail", "--version"] },
    ];
  }

  /**
   * Install the server; return null, or a sentence that names the step that failed.
   *
   * `perform` runs a step and returns whether it succeeded. An existing installation is removed first, so the server
   * must not be running.
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
   * Replace the installed server by another version; return null, or a sentence that names the step that failed.
   *
   * Packages that both versions need, such as PyTorch, are kept. After a failure no server is installed.
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
        return `The server could not be installed: ${step.says} failed. See the log.`;
      }
    }
    await writeFile(path.join(this.folder, MARK), JSON.stringify({ package: path.basename(source) }));
    return null;
  }
}

/**
 * Return the path that pip installs the server from: the wheel in the extension, or the checkout around it.
 *
 * A package name is never used: anybody could register that name in a package index.
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

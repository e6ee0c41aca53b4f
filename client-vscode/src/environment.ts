/** The server's own Python environment, in the extension's storage folder. */

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { isThere } from "./programs";
import type { Kind } from "./sizes";

/** One step of an installation: a command line, and the text that is shown while it runs. */
export interface Step {
  readonly says: string;
  readonly program: string;
  readonly words: readonly string[];
  /** If true, the installation continues when this step fails. */
  readonly optional?: boolean;
}

/** Runs a step and returns whether it succeeded. */
export type Perform = (step: Step) => Promise<boolean>;

/**
 * pip's arguments for the build of torch without CUDA. On other systems than Linux the default build has no CUDA.
 *
 * Only torch and its dependencies come from this index, with one short attempt each: if the index cannot be reached,
 * pip would otherwise retry it for every package of the server.
 */
const PROCESSOR_ONLY: readonly string[] = [
  "--index-url", "https://download.pytorch.org/whl/cpu", "--retries", "0", "--timeout", "5", "torch",
];

/** pip does not compile: that takes four seconds, and Python does it with each module that is imported at all. */
const PIP: readonly string[] = [
  "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--no-compile",
];

/** The file that marks a complete installation. It is written last. */
const MARK = "dovetail.json";

/** The content of that file. */
interface Mark {
  /** The name of the installed package. */
  readonly package: string;
  /** Whether PyTorch is installed too. */
  readonly torch: boolean;
  /** The digest of the package; null for a checkout, and where an earlier version of the extension installed it. */
  readonly digest: string | null;
}

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
    return (await this.mark())?.package ?? null;
  }

  /** Return whether a complete installation has PyTorch. */
  async hasTorch(): Promise<boolean> {
    return (await this.mark())?.torch ?? false;
  }

  private async mark(): Promise<Mark | null> {
    try {
      const mark: unknown = JSON.parse(await readFile(path.join(this.folder, MARK), "utf8"));
      if (typeof mark !== "object" || mark === null || !("package" in mark) || typeof mark.package !== "string") {
        return null;
      }
      // The first version of the extension always installed PyTorch, and did not write so.
      const torch = !("torch" in mark) || mark.torch === true;
      const digest = "digest" in mark && typeof mark.digest === "string" ? mark.digest : null;
      return await isThere(this.python) ? { package: mark.package, torch, digest } : null;
    } catch {
      return null;
    }
  }

  /** Return whether the installed server is another one than that of a package; packages of one version may differ. */
  async isOutdated(source: string | null): Promise<boolean> {
    const mark = await this.mark();
    if (source === null || mark === null) {
      return false;
    }
    if (mark.package !== path.basename(source)) {
      return true;
    }
    const digest = mark.digest === null ? null : await digestOf(source);
    return digest !== null && digest !== mark.digest;
  }

  /** Return a sentence about an installed server of another version than that of a package. */
  async sentenceOfVersions(source: string): Promise<string> {
    const [there, brought] = [await this.installed() ?? "", path.basename(source)]
      .map((wheel) => /^dovetail-([^-]+)-/.exec(wheel)?.[1]);
    const versions = there === undefined || brought === undefined
      ? "The installed server is of another version than this extension."
      : there === brought ? "The installed server is not the one that this extension brings." : `The installed server has version ${there}, and this extension brings ${brought}.`;
    return `${versions} It goes on suggesting until you update it.`;
  }

  /** Return the command that starts the installed server, or null if it is not installed. */
  async command(): Promise<readonly [string, ...string[]] | null> {
    return await this.installed() === null ? null : [this.python, "-I", "-m", "dovetail", "serve"];
  }

  /** Return the steps of an installation, in order. */
  steps(python: string, source: string, pipArguments: readonly string[], kind: Kind): Step[] {
    return [
      { says: "creating an environment", program: python, words: ["-I", "-m", "venv", this.folder] },
      ...this.packageSteps(source, pipArguments, kind),
    ];
  }

  /** Return the steps that install or update the server in an existing environment. */
  private packageSteps(source: string, pipArguments: readonly string[], kind: Kind): Step[] {
    const pinned = ["--constraint", constraintsOf(source)];
    const torch: Step = {
      says: "downloading PyTorch for the processor",
      program: this.python,
      words: [...PIP, ...pipArguments, ...pinned, ...PROCESSOR_ONLY],
      optional: true,
    };
    return [
      ...(kind === "processor" && process.platform === "linux" ? [torch] : []),
      {
        says: "downloading the server's packages",
        program: this.python,
        words: [...PIP, ...pipArguments, ...pinned, kind === "light" ? source : `${source}[torch]`],
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
    python: string, source: string, pipArguments: readonly string[], perform: Perform, kind: Kind = "light",
  ): Promise<string | null> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(path.dirname(this.folder), { recursive: true });
    return await this.perform(this.steps(python, source, pipArguments, kind), source, perform, kind !== "light");
  }

  /**
   * Replace the installed server by another version; return null, or a sentence that names the step that failed.
   *
   * Packages that both versions need, such as PyTorch, are kept. After a failure no server is installed.
   */
  async update(source: string, pipArguments: readonly string[], perform: Perform): Promise<string | null> {
    const torch = await this.hasTorch();
    const removing = await this.removing(source);
    await rm(path.join(this.folder, MARK), { force: true });
    // Which PyTorch is there does not matter: the version that the new server needs is fetched only if it is another.
    const steps = this.packageSteps(source, pipArguments, torch ? "processor" : "light");
    return await this.perform([...removing, ...steps], source, perform, torch);
  }

  /** Add PyTorch to an installation; return null, or a sentence that names the step that failed. The server stays. */
  async addTorch(
    source: string, pipArguments: readonly string[], perform: Perform, kind: Kind,
  ): Promise<string | null> {
    const steps = [...await this.removing(source), ...this.packageSteps(source, pipArguments, kind)];
    return await this.perform(steps, source, perform, true);
  }

  /** Return the step that removes an outdated server of the same version, which pip would leave alone. */
  private async removing(source: string): Promise<Step[]> {
    if (!await this.isOutdated(source) || await this.installed() !== path.basename(source)) {
      return [];
    }
    const words = ["-I", "-m", "pip", "uninstall", "--disable-pip-version-check", "--yes", "dovetail"];
    return [{ says: "removing the server before", program: this.python, words, optional: true }];
  }

  private async perform(
    steps: readonly Step[], source: string, perform: Perform, torch: boolean,
  ): Promise<string | null> {
    for (const step of steps) {
      if (!await perform(step) && step.optional !== true) {
        return `The server could not be installed: ${step.says} failed. See the log.`;
      }
    }
    const mark: Mark = { package: path.basename(source), torch, digest: await digestOf(source) };
    await writeFile(path.join(this.folder, MARK), JSON.stringify(mark));
    return null;
  }
}

/** Return the digest of a package; null if it is no file. */
async function digestOf(source: string): Promise<string | null> {
  try {
    return createHash("sha256").update(await readFile(source)).digest("hex");
  } catch {
    return null;
  }
}

/** Return the file with the versions that were tested: beside the extension's wheel, or in the checkout. */
export function constraintsOf(source: string): string {
  return path.join(source.endsWith(".whl") ? path.dirname(source) : path.join(source, "server"), "constraints.txt");
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

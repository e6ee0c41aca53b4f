/** The installation of the server: questions, progress and messages. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import * as readline from "node:readline";
import * as vscode from "vscode";
import { packageOf, type Environment, type Perform, type Step } from "./environment";
import type { Lock } from "./lock";
import type { OneQuestion } from "./one_question";
import { shownOf } from "./pip_output";
import { run } from "./programs";
import { findPython } from "./python";
import type { Server } from "./server";
import { wordsOf } from "./settings";
import { alwaysNeedsTorch, isLarge, takes, type Kind } from "./sizes";

const EXPLANATION =
  `The server is installed into a Python environment of its own. ${takes("light")} Your other environments are not changed.`;

const TORCH_EXPLANATION =
  "Models that are no GGUF files run with PyTorch, which is installed into the environment of the server.";

const TORCH_ALWAYS = "On this system the server also needs PyTorch.";

/** The parts of the extension that take part in an installation. */
export interface Place {
  readonly context: vscode.ExtensionContext;
  readonly environment: Environment;
  /** Held while this window changes the environment, which all windows share. */
  readonly lock: Lock;
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** Start the server again, if one is needed. */
  readonly follow: () => Promise<void>;
  /** Whether to install the server: asked by a message where it is missing, and by a dialog where a command wants it. */
  readonly consent: OneQuestion<Consent>;
}

/** The buttons of the message that offers the installation; the dialog has the first. */
export type Consent = "Install" | "Settings";

/** Offer the installation by a message, unless the user has been asked for it; nothing waits for the answer. */
export async function offerInstallation(place: Place): Promise<void> {
  const kind = alwaysNeedsTorch(process.platform, process.arch) ? "processor" : "light";
  const taken = await place.consent.offer(
    () => vscode.window.showInformationMessage<Consent>(
      `Dovetail's server is not installed. The extension can install it into a Python environment of its own. ${takes(kind)}`
        + " Your other environments are not changed.",
      "Install", "Settings"));
  if (taken === "Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "dovetail.server");
  } else if (taken === "Install") {
    // Another window may have installed it since the message was shown.
    await (await place.environment.installed() === null ? install(place, { agreed: true }) : place.follow());
  }
}

/**
 * Install the server after the user has agreed: before, as `agreed` says, or in a dialog. While the message that offers it
 * is open, which may have folded away, the command is its answer.
 */
export async function install(place: Place, { agreed }: { readonly agreed: boolean }): Promise<void> {
  const { context, environment, server, consent } = place;
  // Checked once more after the question, since another window may have begun meanwhile.
  const isInstalling = (): boolean => server.state.kind === "installing";
  if (isInstalling()) {
    return;
  }
  const settings = vscode.workspace.getConfiguration("dovetail.server");
  const folder = context.globalStorageUri.fsPath;
  const source = await packageOf(context.extensionPath);
  if (source === null) {
    void vscode.window.showErrorMessage("Dovetail: This build of the extension contains no server. Install the server yourself and set its command in `dovetail.server.command`.");
    return;
  }
  const python = settings.get("python");
  const found = await findPython(typeof python === "string" ? python : null, process.env, run, folder);
  if ("complaint" in found) {
    void vscode.window.showErrorMessage(`Dovetail: ${found.complaint}`);
    return;
  }
  if (consent.isOffered) {
    await vscode.commands.executeCommand("notifications.hideToasts");
  } else if (!agreed && await consent.ask(askForServer) === undefined) {
    return;
  }
  const kind = await kindToInstall();
  if (kind === null || isInstalling()) {
    return;
  }
  const hadTorch = await environment.hasTorch();
  await carryOut(place, (perform) => environment.install(found.python, source, pipArguments(), perform, kind));
  if (hadTorch && kind === "light") {
    await installTorch(place);
  }
}

/** Add PyTorch to the installed server after the user has agreed; nothing happens where it is there. */
export async function installTorch(place: Place): Promise<void> {
  const { context, environment, server } = place;
  const source = await packageOf(context.extensionPath);
  if (source === null || await environment.installed() === null) {
    void vscode.window.showErrorMessage("Dovetail: PyTorch is added to the server that this extension has installed, and there is none. Run \"Dovetail: Install the Server\", or install PyTorch beside your own server: run `python -m pip install torch transformers` with its Python.");
    return;
  }
  if (await environment.hasTorch()) {
    void vscode.window.showInformationMessage("Dovetail: PyTorch is installed.");
    return;
  }
  const kind = await askForTorch(TORCH_EXPLANATION);
  if (kind !== null && server.state.kind !== "installing") {
    await carryOut(place, (perform) => environment.addTorch(source, pipArguments(), perform, kind));
  }
}

/** Return whether the extension brings another version of the server than the one that is installed. */
export async function isOutdated({ context, environment }: Place): Promise<boolean> {
  return environment.isOutdated(await packageOf(context.extensionPath));
}

/** Offer an update if the installed server and the extension have different versions. The menu keeps the offer. */
export async function offerUpdate(place: Place): Promise<void> {
  const { context, environment, server } = place;
  const source = await packageOf(context.extensionPath);
  if (source === null || !await environment.isOutdated(source)) {
    return;
  }
  const taken = await vscode.window.showInformationMessage(
    `Dovetail: ${await environment.sentenceOfVersions(source)}`, "Update the Server");
  if (taken !== undefined && server.state.kind !== "installing") {
    // Another window may have updated it since the question was shown.
    await carryOut(place, async (perform) =>
      await environment.isOutdated(source) ? environment.update(source, pipArguments(), perform) : null);
  }
}

function pipArguments(): string[] {
  return wordsOf(vscode.workspace.getConfiguration("dovetail.server").get("pipArguments"));
}

/** Work on the environment in steps; returns null, or a sentence that names the step that failed. */
type Work = (perform: Perform) => Promise<string | null>;

/** Work on the environment unless another window does, and show the outcome. */
async function carryOut(place: Place, work: Work): Promise<void> {
  const complaint = await place.lock.hold(() => carryOutAlone(place, work));
  if (complaint === null) {
    if (await place.environment.installed() !== null) {
      void vscode.window.showInformationMessage("Dovetail: The server is installed.");
    }
  } else if (complaint === undefined) {
    void vscode.window.showInformationMessage(
      "Dovetail: Another window is installing the server. When it has finished, run \"Dovetail: Restart the Server\" in this window.");
  } else {
    if (await vscode.window.showErrorMessage(`Dovetail: ${complaint}`, "Show Log") === "Show Log") {
      place.log.show();
    }
  }
}

/** Work on the environment while this window's server is stopped, and show the progress; null if cancelled. */
async function carryOutAlone({ context, server, log, follow }: Place, work: Work): Promise<string | null> {
  const folder = context.globalStorageUri.fsPath;
  await server.stop({ kind: "installing" });
  const complaint = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Dovetail", cancellable: true },
    async (progress, token) => {
      const failure = await work(async (step) => {
        progress.report({ message: step.says });
        server.install(step.says);
        const succeeded = await perform(step, folder, log, token, (line) => {
          const message = shownOf(step.says, line);
          if (message !== null) {
            progress.report({ message });
          }
        });
        if (!succeeded && step.optional === true && !token.isCancellationRequested) {
          log.warn("PyTorch's own index could not be reached. PyTorch is installed from pip's default index, possibly with CUDA packages.");
        }
        return succeeded;
      }).catch((error: unknown) => {
        log.error(String(error));
        return `The server could not be installed: ${error instanceof Error ? error.message : String(error)}.`;
      });
      return token.isCancellationRequested ? null : failure;
    },
  );
  await server.stop({ kind: "idle" });
  await follow();
  return complaint;
}

/** Ask for consent in a dialog. */
function askForServer(): Thenable<Consent | undefined> {
  return vscode.window.showInformationMessage<Consent>(
    "Install Dovetail's server?", { modal: true, detail: EXPLANATION }, "Install");
}

/** Return what to install, or null if refused: what is large is asked for once more. */
async function kindToInstall(): Promise<Kind | null> {
  const kind: Kind = alwaysNeedsTorch(process.platform, process.arch) ? "processor" : "light";
  return isLarge(kind) ? await askForTorch(TORCH_ALWAYS) : kind;
}

/** Ask for consent to PyTorch; return the kind to install, or null if refused. On Linux there are two. */
async function askForTorch(why: string): Promise<Kind | null> {
  const processor = "Install for the Processor";
  const graphics = "Install for a Graphics Card";
  const plain = "Install";
  const detail = process.platform === "linux"
    ? `${why} For the processor: ${takes("processor")} For a graphics card: ${takes("graphics")}`
    : `${why} ${takes("processor")}`;
  const taken = await vscode.window.showInformationMessage(
    "Install PyTorch for Dovetail?", { modal: true, detail },
    ...(process.platform === "linux" ? [processor, graphics] : [plain]));
  return taken === undefined ? null : taken === graphics ? "graphics" : "processor";
}

/** Run a step and return whether it succeeded. Its output goes to the log and to `hear`; cancelling kills it. */
async function perform(
  step: Step, folder: string, log: vscode.LogOutputChannel, token: vscode.CancellationToken,
  hear: (line: string) => void,
): Promise<boolean> {
  if (token.isCancellationRequested) {
    return false;
  }
  log.info([step.program, ...step.words].join(" "));
  const child = spawn(step.program, [...step.words], { cwd: folder, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    readline.createInterface({ input: stream }).on("line", (line) => {
      log.info(line);
      hear(line);
    });
  }
  const watching = token.onCancellationRequested(() => child.kill());
  try {
    const [code] = await once(child, "close") as [number | null];
    return code === 0;
  } catch (error) {
    log.error(String(error));
    return false;
  } finally {
    watching.dispose();
  }
}

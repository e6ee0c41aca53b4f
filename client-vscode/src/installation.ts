/** Installing the server, as the user sees it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import * as readline from "node:readline";
import * as vscode from "vscode";
import { packageOf, type Environment, type Step } from "./environment";
import type { Lock } from "./lock";
import { run } from "./programs";
import { findPython } from "./python";
import type { Server } from "./server";

const EXPLANATION =
  "The server is put into a Python environment of its own, together with PyTorch. For the processor that takes "
  + "a few minutes and 1.2 GB of disk. Other environments are not touched.";

/** What pip says that it is at. */
const AT = /^(?:Collecting|Downloading|Installing) .{0,60}/;

/** Where the server is installed, and what goes on with it. */
export interface Place {
  readonly context: vscode.ExtensionContext;
  readonly environment: Environment;
  /** Held while the environment is worked on, which the windows have in common. */
  readonly lock: Lock;
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** Go on with what is there afterwards. */
  readonly follow: () => Promise<void>;
}

/** Install the server after asking. */
export async function install(place: Place): Promise<void> {
  const { context, environment, server } = place;
  // Asked again after the questions, which two may be asked at once.
  const isInstalling = (): boolean => server.state.kind === "installing";
  if (isInstalling()) {
    return;
  }
  const settings = vscode.workspace.getConfiguration("dovetail.server");
  const folder = context.globalStorageUri.fsPath;
  const source = await packageOf(context.extensionPath);
  if (source === null) {
    void vscode.window.showErrorMessage("Dovetail: This package of the extension holds no server; name the command of one that is installed in `dovetail.server.command`.");
    return;
  }
  const found = await findPython(settings.get<string | null>("python", null), process.env, run, folder);
  if ("complaint" in found) {
    void vscode.window.showErrorMessage(`Dovetail: ${found.complaint}`);
    return;
  }
  const processor = await askForProcessor();
  if (processor === null || isInstalling()) {
    return;
  }
  await carryOut(place, (perform) => environment.install(found.python, source, pipArguments(), perform, processor));
}

/** Offer the version of the server that belongs to the extension, where the extension is of another than the server. */
export async function offerUpdate(place: Place): Promise<void> {
  const { context, environment, server } = place;
  const source = await packageOf(context.extensionPath);
  if (source === null || !await environment.isOutdated(source)) {
    return;
  }
  const taken = await vscode.window.showInformationMessage(
    "Dovetail's server is of another version than its extension.", "Update the Server");
  if (taken !== undefined && server.state.kind !== "installing") {
    // Another window may have done it since it was offered here.
    await carryOut(place, async (perform) =>
      await environment.isOutdated(source) ? environment.update(source, pipArguments(), perform) : null);
  }
}

function pipArguments(): string[] {
  return vscode.workspace.getConfiguration("dovetail.server").get<string[]>("pipArguments", []);
}

/** What is done in the environment, step by step; null, or the sentence that says what failed. */
type Work = (perform: (step: Step) => Promise<boolean>) => Promise<string | null>;

/** Do work on the environment, unless another window is at it, and say what becomes of it. */
async function carryOut(place: Place, work: Work): Promise<void> {
  const complaint = await place.lock.hold(() => carryOutAlone(place, work));
  if (complaint === undefined) {
    void vscode.window.showInformationMessage(
      "Dovetail: The server is being installed in another window. Restart it in this one afterwards.");
  } else if (complaint !== null) {
    if (await vscode.window.showErrorMessage(`Dovetail: ${complaint}`, "Show Log") === "Show Log") {
      place.log.show();
    }
  }
}

/** Do work while no server of this window runs, and show how far it is; return null as well if it is broken off. */
async function carryOutAlone({ context, server, log, follow }: Place, work: Work): Promise<string | null> {
  const folder = context.globalStorageUri.fsPath;
  await server.stop({ kind: "installing" });
  const complaint = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Dovetail", cancellable: true },
    async (progress, token) => {
      const failure = await work(async (step) => {
        progress.report({ message: step.says });
        const succeeded = await perform(step, folder, log, token, (line) => {
          const at = AT.exec(line)?.[0];
          if (at !== undefined) {
            progress.report({ message: `${step.says}. ${at}` });
          }
        });
        if (!succeeded && step.optional === true && !token.isCancellationRequested) {
          log.warn("PyTorch's own index was not reached: it is taken from where pip is told to look, which may bring what graphics cards need.");
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

/** Ask for consent; return whether it is for the processor, since on Linux plain torch brings more, or null. */
async function askForProcessor(): Promise<boolean | null> {
  const processor = "Install for the Processor";
  const graphics = "Install for a Graphics Card (Several GB)";
  const plain = "Install";
  const taken = await vscode.window.showInformationMessage(
    "Install Dovetail's server?", { modal: true, detail: EXPLANATION },
    ...(process.platform === "linux" ? [processor, graphics] : [plain]));
  return taken === undefined ? null : taken === processor;
}

/** Run a step, its output into the log and to `hear`; return whether it succeeded. Cancelling ends it. */
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

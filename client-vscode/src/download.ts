/** The download of a model, as a notification with a button that stops it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import * as readline from "node:readline";
import * as vscode from "vscode";
import type { Command } from "./command";
import { question, readStep, size, type OfferedModel } from "./offered_models";

/** Download a model after the user has agreed; return whether it is there in the end. */
export async function download(
  model: OfferedModel, command: Command, folder: string, log: vscode.LogOutputChannel,
): Promise<boolean> {
  const agreed = await vscode.window.showInformationMessage(
    question(model), { modal: true, detail: `${model.reason}\nLicence: ${model.licence}.` }, "Download");
  if (agreed === undefined) {
    return false;
  }
  const complaint = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Dovetail: ${model.title}`, cancellable: true },
    (progress, token) => fetch(command, folder, log, progress, token));
  if (typeof complaint === "string") {
    void vscode.window.showErrorMessage(`Dovetail: ${complaint}`);
  }
  return complaint === null;
}

/** Run the download; return null if the model is there, a sentence if it failed, undefined if it was stopped. */
async function fetch(
  [program, ...words]: Command, folder: string, log: vscode.LogOutputChannel,
  progress: vscode.Progress<{ message?: string; increment?: number }>, token: vscode.CancellationToken,
): Promise<string | null | undefined> {
  log.info([program, ...words].join(" "));
  const child = spawn(program, words, { cwd: folder, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  let shown = 0;
  const heard = { isDone: false, said: "" };
  readline.createInterface({ input: child.stdout }).on("line", (line) => {
    const step = readStep(line);
    if (step?.kind === "received") {
      const part = 100 * step.bytes / step.size;
      progress.report({ message: `${size(step.bytes / 1e9)} of ${size(step.size / 1e9)}`, increment: part - shown });
      shown = part;
    }
    heard.isDone ||= step?.kind === "done";
  });
  readline.createInterface({ input: child.stderr }).on("line", (line) => {
    log.info(line);
    heard.said = line;
  });
  // What has arrived is kept; the next download goes on from there.
  const watching = token.onCancellationRequested(() => child.kill());
  try {
    await once(child, "close");
  } catch (error) {
    heard.said = String(error);
  } finally {
    watching.dispose();
  }
  if (token.isCancellationRequested) {
    return undefined;
  }
  return heard.isDone ? null : heard.said || "The download failed. See the log.";
}

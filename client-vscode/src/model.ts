/** The choice of a model. */

import * as vscode from "vscode";
import { mistakeInName } from "./model_name";
import { change } from "./settings";

/** Let the user choose a model and change the setting; a running server then loads it. */
export async function chooseModel(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("dovetail");
  const current = configuration.get<string | null>("model", null);
  const embedded = { label: "The model that comes with Dovetail", description: "small, nothing is downloaded" };
  const folder = { label: "A model in a folder…" };
  const hub = { label: "A model by its name on the Hugging Face hub…", description: "downloaded when it is first used" };
  const chosen = await vscode.window.showQuickPick([embedded, folder, hub], {
    title: "Dovetail: Choose a Model",
    placeHolder: current === null ? "Current: the model that comes with Dovetail" : `Current: ${current}`,
  });
  const model = chosen === embedded ? null
    : chosen === folder ? await chooseFolder()
    : chosen === hub ? await askForName()
    : undefined;
  if (model !== undefined && model !== "") {
    await change(configuration, "model", model);
  }
}

function askForName(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    prompt: "Name of the model: owner/name", ignoreFocusOut: true, validateInput: mistakeInName,
  });
}

async function chooseFolder(): Promise<string | undefined> {
  const folders = await vscode.window.showOpenDialog({
    canSelectFiles: false, canSelectFolders: true, openLabel: "Use this model",
  });
  return folders?.[0]?.fsPath;
}

/** The choice of a model. */

import { readdir } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Command } from "./command";
import { download } from "./download";
import { mistakeInName } from "./model_name";
import { description, modelsCommand, readModels, type OfferedModel } from "./offered_models";
import { run } from "./programs";
import { change } from "./settings";

/** The parts of the extension that the choice needs. */
export interface ModelSurroundings {
  /** The working folder of programs; not a workspace. */
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  readonly findCommand: () => Promise<Command | null>;
  /** Offer what models need that are no GGUF files. */
  readonly offerTorch: () => Promise<void>;
}

interface Entry extends vscode.QuickPickItem {
  /** Return the value of the setting, null for the embedded model, or undefined if nothing was chosen. */
  readonly take?: () => Promise<string | null | undefined>;
  /** Whether a chosen model may need PyTorch. */
  readonly mayNeedTorch?: boolean;
}

/** Let the user choose a model and change the setting; a running server then loads it. */
export async function chooseModel(surroundings: ModelSurroundings): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("dovetail");
  const current = configuration.get<string | null>("model", null);
  const offered = (await offeredModels(surroundings)).map((model): Entry => ({
    label: model.title,
    description: description(model),
    detail: `${model.reason} ${model.languages}.`,
    take: () => fetched(model, surroundings),
  }));
  const chosen = await vscode.window.showQuickPick<Entry>([
    { label: "The model that comes with Dovetail", description: "small, nothing is downloaded", take: async () => Promise.resolve(null) },
    ...offered,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "A GGUF file…", take: () => choosePath(true) },
    { label: "A model in a folder…", take: () => choosePath(false), mayNeedTorch: true },
    {
      label: "A model by its name on the Hugging Face hub…", description: "downloaded when it is first used",
      take: askForName, mayNeedTorch: true,
    },
  ], {
    title: "Dovetail: Choose a Model",
    placeHolder: current === null ? "Current: the model that comes with Dovetail" : `Current: ${current}`,
    matchOnDescription: true,
  });
  const model = await chosen?.take?.();
  if (model !== undefined && model !== "") {
    await change(configuration, "model", model);
    if (chosen?.mayNeedTorch === true && model !== null && !await holdsGguf(model)) {
      await surroundings.offerTorch();
    }
  }
}

/** Return whether a model is a folder with a GGUF file. */
async function holdsGguf(model: string): Promise<boolean> {
  return path.isAbsolute(model) && (await readdir(model).catch(() => [])).some((name) => name.endsWith(".gguf"));
}

/** Return the models that the server offers; none without a server, or with one that has no list. */
async function offeredModels({ findCommand, folder, log }: ModelSurroundings): Promise<OfferedModel[]> {
  const server = await findCommand();
  const command = server === null ? null : modelsCommand(server, "--json");
  if (command === null) {
    return [];
  }
  const [program, ...words] = command;
  const { code, stdout, stderr } = await run(program, words, folder);
  const models = code === 0 ? readModels(stdout) : null;
  if (models === null) {
    log.warn(`The list of models could not be read: ${stderr.trim()}`);
  }
  return models ?? [];
}

/** Return the name of a model that is on this machine, downloaded now if need be; undefined if it is not. */
async function fetched(model: OfferedModel, { findCommand, folder, log }: ModelSurroundings): Promise<string | undefined> {
  const server = await findCommand();
  const command = server === null ? null : modelsCommand(server, "get", model.name, "--json");
  if (model.isHere || command === null) {
    return model.isHere ? model.name : undefined;
  }
  return await download(model, command, folder, log) ? model.name : undefined;
}

function askForName(): Promise<string | undefined> {
  return Promise.resolve(vscode.window.showInputBox({
    prompt: "Name of the model: owner/name", ignoreFocusOut: true, validateInput: mistakeInName,
  }));
}

async function choosePath(isFile: boolean): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: isFile, canSelectFolders: !isFile, openLabel: "Use this model",
    ...(isFile ? { filters: { "GGUF": ["gguf"] } } : {}),
  });
  return chosen?.[0]?.fsPath;
}

/** The menu that a click on the status bar item opens. */

import * as vscode from "vscode";
import { sentence, type State } from "./state";

/** Show the menu for a state of the server, and run the chosen command. */
export async function showMenu(state: State): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId;
  const onOrOff = state.kind === "off" ? "Turn suggestions on" : "Turn suggestions off";
  const entries: (vscode.QuickPickItem & { readonly command: string })[] = [
    ...(state.kind === "missing" || state.kind === "failed"
      ? [{ label: "$(cloud-download) Install the server", command: "dovetail.installServer" }]
      : []),
    { label: "$(question) Why is there no suggestion?", command: "dovetail.whyNoSuggestion" },
    { label: `$(circle-slash) ${onOrOff}`, command: "dovetail.toggle" },
    ...(language === undefined ? [] : [
      { label: `$(symbol-namespace) Turn suggestions on or off in ${language}`, command: "dovetail.toggleLanguage" },
      { label: "$(file) Turn suggestions on or off in this document", command: "dovetail.toggleDocument" },
    ]),
    { label: "$(chip) Choose a model", command: "dovetail.chooseModel" },
    { label: "$(debug-restart) Restart the server", command: "dovetail.restart" },
    { label: "$(output) Show the log", command: "dovetail.showLog" },
  ];
  const chosen = await vscode.window.showQuickPick(entries, { title: "Dovetail", placeHolder: sentence(state) });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

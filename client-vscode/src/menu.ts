/** The menu that a click on the status bar item opens. */

import * as vscode from "vscode";
import { entriesFor } from "./menu_entries";
import { sentence, type State } from "./state";

/** Show the menu for a state of the server, and run the chosen command. */
export async function showMenu(state: State): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId ?? null;
  const chosen = await vscode.window.showQuickPick(
    entriesFor(state, language), { title: "Dovetail", placeHolder: sentence(state) });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

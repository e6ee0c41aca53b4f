/** The menu that a click on the status bar item opens. */

import * as vscode from "vscode";
import { titleOf } from "./language_titles";
import { entriesFor, shortened } from "./menu_entries";
import { languagesOf } from "./settings";
import type { State } from "./state";
import type { Switches } from "./switches";

/** Return the title of a language among all that this VS Code knows. */
export function titleHere(identifier: string): string {
  return titleOf(identifier, vscode.extensions.all.map((extension) => extension.packageJSON as unknown));
}

/** Show the menu for a state of the server and the sentence about it, and run the chosen command. */
export async function showMenu(state: State, says: string, switches: Switches, isOutdated: boolean): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const active = document === undefined ? null : {
    language: titleHere(document.languageId),
    languageIsOn: languagesOf(vscode.workspace.getConfiguration("dovetail")).includes(document.languageId),
    isOn: !switches.isOff(document),
  };
  const chosen = await vscode.window.showQuickPick(
    entriesFor(state, active, isOutdated), { title: "Dovetail", placeHolder: shortened(says) });
  if (chosen !== undefined) {
    // Else the keyboard would stay with the status bar: Tab would go elsewhere than to the text that the editor shows.
    if (vscode.window.activeTextEditor !== undefined) {
      await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    }
    await vscode.commands.executeCommand(chosen.command, ...(chosen.argument === undefined ? [] : [chosen.argument]));
  }
}

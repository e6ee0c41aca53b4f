/** The question for the key of the team's host. */

import * as vscode from "vscode";
import { hostOf, keepKey } from "./team_key";

/** Ask for the key and keep it; return whether it may have changed. */
export async function askForKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const host = hostOf(vscode.workspace.getConfiguration("dovetail").get("team.host"));
  if (host === null) {
    const open = "Open the Setting";
    const answer = await vscode.window.showInformationMessage(
      "Dovetail: the setting `dovetail.team.host` names no host; write its address there first.", open);
    if (answer === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "dovetail.team.host");
    }
    return false;
  }
  const key = await vscode.window.showInputBox({
    title: `Key of the Team's Host at ${host}`,
    prompt: "VS Code keeps it as a secret, and it is sent to this address only. Leave it empty to forget the key.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (/\s/.test(text.trim()) ? "A key has no blanks." : null),
  });
  if (key === undefined) {
    return false;
  }
  await keepKey(secrets, host, key.trim());
  return true;
}

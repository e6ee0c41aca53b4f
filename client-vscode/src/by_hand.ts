/** Requests by hand, and the answer to one that brings no suggestion. */

import * as vscode from "vscode";

/** Milliseconds for which an answer stands in the status bar. */
const SHOWN_FOR = 8_000;

/** Show a sentence that answers a request by hand. */
export function answerByHand(sentence: string): void {
  vscode.window.setStatusBarMessage(`Dovetail: ${sentence}`, SHOWN_FOR);
}

/** Reasons that a notification has told in this session: the status bar repeats them. */
const told = new Set<string>();

/**
 * Request suggestions by hand at the cursor, in a document without Dovetail's too: another extension may have some there.
 * No provider of ours is asked in a language that is not on, so the reason for that is said here: at first where nobody
 * overlooks it.
 */
export async function requestByHand(off: string | null): Promise<void> {
  if (off !== null && told.has(off)) {
    answerByHand(off);
  } else if (off !== null) {
    told.add(off);
    void vscode.window.showInformationMessage(`Dovetail: ${off}`);
  }
  await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
}

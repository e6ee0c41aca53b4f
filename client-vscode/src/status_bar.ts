/** The item in the status bar. */

import * as vscode from "vscode";
import { appearance, sentenceHere, type Appearance, type State } from "./state";

/** Shows the server's state, or why the active document gets no suggestions. A click opens the menu. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("dovetail", vscode.StatusBarAlignment.Right, 100);

  constructor(
    private readonly state: () => State,
    private readonly reasonOff: (document: vscode.TextDocument) => string | null,
    private readonly mistakes: () => readonly string[],
  ) {
    this.item.name = "Dovetail";
    this.item.command = "dovetail.showMenu";
  }

  /** Return the look for the current state and document. */
  appearance(): Appearance {
    return appearance(this.state(), this.reasonHere(), this.mistakes());
  }

  /** Return the sentence for the current state and document. */
  says(): string {
    return sentenceHere(this.state(), this.reasonHere(), this.mistakes());
  }

  private reasonHere(): string | null {
    const document = vscode.window.activeTextEditor?.document;
    return document === undefined ? null : this.reasonOff(document);
  }

  /** Update the item. */
  show(): void {
    const shown = this.appearance();
    this.item.text = shown.text;
    this.item.tooltip = shown.tooltip;
    this.item.accessibilityInformation = { label: shown.tooltip, role: "button" };
    this.item.backgroundColor = shown.severity === "plain"
      ? undefined
      : new vscode.ThemeColor(`statusBarItem.${shown.severity}Background`);
    this.item.show();
  }

  /** Remove the item. */
  dispose(): void {
    this.item.dispose();
  }
}

/** The status bar: the server's state, and why the active document gets nothing. */

import * as vscode from "vscode";
import { appearance, type Appearance, type State } from "./state";

/** Shows a state at the right of the status bar; a click opens the menu. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("dovetail", vscode.StatusBarAlignment.Right, 100);

  constructor(
    private readonly state: () => State,
    private readonly silence: (document: vscode.TextDocument) => string | null,
  ) {
    this.item.name = "Dovetail";
    this.item.command = "dovetail.showMenu";
  }

  /** Return how that looks which holds now. */
  appearance(): Appearance {
    const document = vscode.window.activeTextEditor?.document;
    return appearance(this.state(), document === undefined ? null : this.silence(document));
  }

  /** Show what holds now. */
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

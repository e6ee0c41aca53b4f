/** The switches that turn suggestions on and off: everywhere, in a language, in a document. */

import * as vscode from "vscode";
import { change, switchedOver } from "./settings";

/** The three switches. That of a document lasts until the document is closed. */
export class Switches {
  private readonly off = new Set<string>();        // URIs of documents
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the switch of a document has changed; the other switches are settings. */
  readonly onDidChange = this.changed.event;

  /** Return whether suggestions are turned off in a document. */
  isOff(document: vscode.TextDocument): boolean {
    return this.off.has(document.uri.toString());
  }

  /** Forget a document that was closed. */
  forget(document: vscode.TextDocument): void {
    this.off.delete(document.uri.toString());
  }

  /** Turn suggestions on or off everywhere. */
  async toggle(): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("dovetail");
    const enabled = configuration.get("enabled") !== false;
    await change(configuration, "enabled", !enabled);
  }

  /** Turn suggestions on or off in the active document's language. */
  async toggleLanguage(): Promise<void> {
    const language = vscode.window.activeTextEditor?.document.languageId;
    if (language !== undefined) {
      const configuration = vscode.workspace.getConfiguration("dovetail");
      await change(configuration, "languages", switchedOver(configuration, language));
    }
  }

  /** Turn suggestions on or off in the active document. */
  toggleDocument(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined) {
      const uri = document.uri.toString();
      if (!this.off.delete(uri)) {
        this.off.add(uri);
      }
      this.changed.fire();
    }
  }
}

/** Faint lines: those that the server left out of a broken document, once the user has asked why. */

import * as vscode from "vscode";
import type { Lines } from "./left_out";

/** Draws lines faintly until their document changes. */
export class FaintLines implements vscode.Disposable {
  private readonly type = vscode.window.createTextEditorDecorationType({ opacity: "0.4", isWholeLine: true });
  private readonly following: vscode.Disposable;
  private shown: { readonly uri: string; readonly lines: readonly Lines[] } | null = null;

  constructor() {
    this.following = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // A change without content is one of the document's state, such as saving it.
        if (contentChanges.length > 0 && document.uri.toString() === this.shown?.uri) {
          this.show(document, []);
        }
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
    );
  }

  /** Draw lines of a document faintly, and no others. */
  show(document: vscode.TextDocument, lines: readonly Lines[]): void {
    this.shown = { uri: document.uri.toString(), lines };
    this.draw();
  }

  /** The lines that are drawn faintly in a document. */
  of(document: vscode.TextDocument): readonly Lines[] {
    return this.shown?.uri === document.uri.toString() ? this.shown.lines : [];
  }

  dispose(): void {
    this.following.dispose();
    this.type.dispose();
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.type, this.of(editor.document).map(({ first, last }) => new vscode.Range(first, 0, last, 0)));
    }
  }
}

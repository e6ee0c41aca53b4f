/**
 * Reports to the server which suggestions were shown and accepted; the server counts them.
 *
 * VS Code runs an item's command when the whole item is accepted. Its events for shown and partly accepted items are
 * reserved for certain extensions. Two rules replace them: the first item of an answer counts as shown if the cursor
 * has not moved since the request; a change that inserts several characters of an item counts as a partial acceptance.
 * Items that the user cycles to are not noticed.
 */

import * as vscode from "vscode";
import { goesOn, takenBy } from "./taken";

/** A suggestion with its command, whose argument identifies it to the server. */
type Item = vscode.InlineCompletionItem & { readonly insertText: string; readonly command: vscode.Command };

/** The parameters of the notifications, in the form of Copilot's language server. */
interface Told {
  readonly item: { readonly insertText: string; readonly command: vscode.Command };
  /** Length of the accepted text in UTF-16 units. */
  readonly acceptedLength?: number;
}

/** Watches the latest answer of one client, and reports how its items are used. */
export class Offers implements vscode.Disposable {
  private newest: { readonly uri: string; readonly start: vscode.Position; readonly items: readonly Item[] } | null = null;
  private readonly watching = vscode.workspace.onDidChangeTextDocument((event) => this.follow(event));

  constructor(private readonly tell: (method: string, told: Told) => void) {}

  /** Watch an answer whose request was not cancelled. */
  offer(document: vscode.TextDocument, position: vscode.Position, answer: readonly vscode.InlineCompletionItem[]): void {
    const items = answer.filter((item): item is Item => typeof item.insertText === "string" && item.command !== undefined);
    const [first] = items;
    const editor = vscode.window.activeTextEditor;
    this.newest = null;
    if (first !== undefined && editor?.document === document && editor.selection.active.isEqual(position)) {
      this.newest = { uri: document.uri.toString(), start: first.range?.start ?? position, items };
      this.tell("textDocument/didShowCompletion", told(first));
    }
  }

  /** Stop watching documents. */
  dispose(): void {
    this.watching.dispose();
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const [change] = contentChanges;
    if (this.newest === null || change === undefined || document.uri.toString() !== this.newest.uri) {
      return;
    }
    const { start, items } = this.newest;
    const end = document.positionAt(change.rangeOffset + change.text.length);
    const stands = document.getText(new vscode.Range(start, end)).replaceAll("\r\n", "\n");
    const texts = items.map((item) => item.insertText);
    if (contentChanges.length > 1 || change.rangeLength > 0 || goesOn(texts, stands) === -1) {
      this.newest = null;      // the text has changed in another way
      return;
    }
    const taken = takenBy(texts, stands, change.text);
    const item = taken === null ? undefined : items[taken.index];
    if (taken !== null && item !== undefined) {
      this.tell("textDocument/didPartiallyAcceptCompletion", { ...told(item), acceptedLength: taken.length });
    }
  }
}

function told({ insertText, command }: Item): Told {
  return { item: { insertText, command } };
}

/**
 * What becomes of the suggestions that were offered, as far as an extension sees it; the server counts it.
 *
 * VS Code runs an item's command when all of it is accepted, and tells of nothing else: its events for what is shown and
 * what is accepted in part are kept for the extensions that it names. So an answer's first item passes for shown where
 * the cursor is still at the place of the question, and a change that inserts several characters of an item passes for
 * the acceptance of a part. Items that are cycled to are not seen.
 */

import * as vscode from "vscode";
import { goesOn, takenBy } from "./taken";

/** A suggestion with the command by which the server knows it. */
type Item = vscode.InlineCompletionItem & { readonly insertText: string; readonly command: vscode.Command };

/** What the server is told of an item, in the form of Copilot's language server. */
interface Told {
  readonly item: { readonly insertText: string; readonly command: vscode.Command };
  /** In UTF-16 units from the item's beginning. */
  readonly acceptedLength?: number;
}

/** Remembers the newest offer of one client, and tells the server what becomes of it. */
export class Offers implements vscode.Disposable {
  private newest: { readonly uri: string; readonly start: vscode.Position; readonly items: readonly Item[] } | null = null;
  private readonly watching = vscode.workspace.onDidChangeTextDocument((event) => this.follow(event));

  constructor(private readonly tell: (method: string, told: Told) => void) {}

  /** Take note of an answer to a question that nobody took back. */
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

  /** Follow no document any more. */
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
      this.newest = null;      // another text is there now
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

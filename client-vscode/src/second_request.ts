/**
 * Lets VS Code request suggestions by hand a second time at one place.
 *
 * The server answers such a request with the first suggestion, as soon as it is ready, and the next request at the same
 * place with all of them. VS Code requests by hand once at each place, and from then on moves among the suggestions that
 * it got, unless there is a provider that it has not asked. So a first suggestion brings a provider of nothing.
 */

import * as vscode from "vscode";

/** The provider of nothing, while there is one. */
export class SecondRequest implements vscode.Disposable {
  private provider: vscode.Disposable | null = null;

  /** Take note of an answer with some suggestions in a document. */
  answered(document: vscode.TextDocument, kind: vscode.InlineCompletionTriggerKind, suggestions: number): void {
    this.dispose();
    if (kind === vscode.InlineCompletionTriggerKind.Invoke && suggestions === 1) {
      const selector = { language: document.languageId, scheme: document.uri.scheme };
      this.provider = vscode.languages.registerInlineCompletionItemProvider(
        selector, { provideInlineCompletionItems: () => null });
    }
  }

  /** Remove the provider. */
  dispose(): void {
    this.provider?.dispose();
    this.provider = null;
  }
}

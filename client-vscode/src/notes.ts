/** The server's notes on documents: why nothing is offered in one although the server is ready. */

/** A document's name, which VS Code's `TextDocument` has. */
interface Named {
  readonly uri: { toString(): string };
}

/** Remembers the note on each document that was looked at. */
export class Notes<Document extends Named> {
  private readonly known = new Map<string, string | null>();

  /** `ask` returns the server's note on a document; `changed` is called when one has changed. */
  constructor(
    private readonly ask: (document: Document) => Promise<string | null>,
    private readonly changed: () => void,
  ) {}

  /** Return the note on a document, or null. */
  of(document: Document): string | null {
    return this.known.get(document.uri.toString()) ?? null;
  }

  /** Ask for the note on a document. */
  async refresh(document: Document): Promise<void> {
    const note = await this.ask(document);
    const before = this.of(document);
    this.known.set(document.uri.toString(), note);
    if (note !== before) {
      this.changed();
    }
  }

  /** Forget a document that was closed. */
  forget(document: Document): void {
    this.known.delete(document.uri.toString());
  }
}

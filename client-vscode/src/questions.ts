/** The last request of each document, kept for the command "Why Is There No Suggestion?". */

import type { Outcome, Question } from "./reasons";

/** Remembers the last request of each document by its URI. */
export class Questions {
  private readonly last = new Map<string, Question>();

  /** `settled` is called with the URI of a document when its last request has an outcome. */
  constructor(private readonly settled: (uri: string) => void = () => undefined) {}

  /** Remember a new request; the returned function records its outcome. */
  ask(uri: string, line: number, column: number): (outcome: Outcome) => void {
    const asked: Question = { line, column, outcome: { kind: "open" } };
    this.last.set(uri, asked);
    return (outcome) => {
      // Otherwise a newer request has taken its place.
      if (this.last.get(uri) === asked) {
        this.last.set(uri, { line, column, outcome });
        this.settled(uri);
      }
    };
  }

  /** Return the last request of a document, or null. */
  of(uri: string): Question | null {
    return this.last.get(uri) ?? null;
  }

  /** Forget a document that was closed. */
  forget(uri: string): void {
    this.last.delete(uri);
  }
}

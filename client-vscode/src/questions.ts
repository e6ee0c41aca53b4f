/** The last question of each document, for the user who asks why there is no suggestion. */

import type { Outcome, Question } from "./reasons";

/** Remembers questions by the document's address. */
export class Questions {
  private readonly last = new Map<string, Question>();

  /** Remember a question that was just asked; call what is returned with what became of it. */
  ask(uri: string, line: number, column: number): (outcome: Outcome) => void {
    const asked: Question = { line, column, outcome: { kind: "open" } };
    this.last.set(uri, asked);
    return (outcome) => {
      // A newer question has taken its place otherwise.
      if (this.last.get(uri) === asked) {
        this.last.set(uri, { line, column, outcome });
      }
    };
  }

  /** Return the last question of a document, or null. */
  of(uri: string): Question | null {
    return this.last.get(uri) ?? null;
  }

  /** Forget a document that was closed. */
  forget(uri: string): void {
    this.last.delete(uri);
  }
}

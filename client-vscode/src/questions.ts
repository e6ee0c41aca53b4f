/** The last request of each document: for the command "Why Is There No Suggestion?", and to send it again. */

import { isUnanswered, type Outcome, type Question } from "./reasons";

/** A place in a document, counted from 0 as VS Code does. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** Text that was typed while no server could be asked: the places of its beginning and its end. */
interface Missed {
  readonly start: Place;
  readonly end: Place;
}

/** Remembers the last request of each document by its URI. */
export class Questions {
  private readonly last = new Map<string, Question>();
  private readonly missed = new Map<string, Missed>();

  /** `settled` is called with the URI of a document when its last request has an outcome. */
  constructor(private readonly settled: (uri: string) => void = () => undefined) {}

  /** Remember a new request, at a place counted from 1; the returned function records its outcome. */
  ask(uri: string, line: number, column: number, byHand = false): (outcome: Outcome) => void {
    const asked: Question = { line, column, byHand, outcome: { kind: "open" } };
    this.last.set(uri, asked);
    this.missed.delete(uri);
    return (outcome) => {
      // Otherwise a newer request has taken its place.
      if (this.last.get(uri) === asked) {
        this.last.set(uri, { line, column, byHand, outcome });
        this.settled(uri);
      }
    };
  }

  /** Remember text that was typed at a place while no server could be asked. */
  miss(uri: string, start: Place, text: string): void {
    const lines = text.split(/\r\n|\r|\n/);
    const before = lines.length === 1 ? start.character : 0;
    const end = { line: start.line + lines.length - 1, character: before + (lines.at(-1) ?? "").length };
    this.missed.set(uri, { start, end });
  }

  /**
   * Return whether a user with the cursor at a place waits for a suggestion, which it is worth to request again: the last
   * request came to nothing, or none could be sent. With `manual` only requests by hand count.
   */
  isWaitedFor(uri: string, { line, character }: Place, manual: boolean): boolean {
    const missed = this.missed.get(uri);
    if (missed !== undefined) {
      // An editor may have typed a closing bracket behind the cursor.
      const { start, end } = missed;
      return !manual && (line > start.line || (line === start.line && character >= start.character))
        && (line < end.line || (line === end.line && character <= end.character));
    }
    const question = this.of(uri);
    return isUnanswered(question, line + 1, character + 1) && (!manual || question?.byHand === true);
  }

  /** Return the last request of a document, or null. */
  of(uri: string): Question | null {
    return this.last.get(uri) ?? null;
  }

  /** Forget a document that was closed. */
  forget(uri: string): void {
    this.last.delete(uri);
    this.missed.delete(uri);
  }
}

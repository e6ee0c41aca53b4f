/** The lines that the server left out of a broken document, as its command `why` names them. */

/** Lines of a document, from 0. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** The server's answer to "why?". */
export interface Explanation {
  readonly message: string;
  readonly leftOut: readonly Lines[];
  /** True if another model would offer more: the present one does not know the language. */
  readonly otherModel: boolean;
}

interface Part {
  /** Null for a header that was put in; absent from a server older than this. */
  readonly lines?: Lines | null;
  /** True for text that was not read yet, as that may fit. */
  readonly unread: boolean;
}

/** Return what an answer of the command says, or null if it says nothing. */
export function explanationOf(answer: unknown): Explanation | null {
  if (typeof answer !== "object" || answer === null || !("message" in answer) || typeof answer.message !== "string") {
    return null;
  }
  const parts = "ignored" in answer && Array.isArray(answer.ignored) ? answer.ignored as Part[] : [];
  const otherModel = "other_model" in answer && answer.other_model === true;
  const leftOut = parts.flatMap(({ lines, unread }) => lines === null || lines === undefined || unread ? [] : [lines]);
  return { message: answer.message, leftOut, otherModel };
}

/** The reasons why a document gets no suggestion, as sentences. */

import { sentence, type State } from "./state";

/** The facts about a document that decide whether suggestions are requested in it. */
export interface Circumstances {
  readonly language: string;
  /** Return the title of the language. */
  readonly title: () => string;
  readonly scheme: string;
  readonly languagesOn: readonly string[];
  /** The languages that Dovetail brings a grammar for. */
  readonly languagesKnown: readonly string[];
  /** Whether the user turned suggestions off in this document. */
  readonly turnedOff: boolean;
  /** The value of VS Code's setting `editor.inlineSuggest.enabled`. */
  readonly editorShows: boolean;
}

/** The last request of a document and its outcome. */
export interface Question {
  readonly line: number;        // from 1
  readonly column: number;      // from 1, in UTF-16 units
  readonly byHand?: boolean;
  readonly outcome: Outcome;
}

/** The outcome of a request. */
export type Outcome =
  | { readonly kind: "open" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed" }
  | { readonly kind: "answered"; readonly items: number; readonly milliseconds: number };

/** The URI schemes of the documents in which suggestions are offered. */
export const SCHEMES: readonly string[] = ["file", "untitled", "vscode-notebook-cell"];

/** Return a sentence that says why no suggestions are requested in a document, or null if they are. */
export function whyOff(circumstances: Circumstances): string | null {
  const { language, title, scheme, languagesOn, languagesKnown, turnedOff, editorShows } = circumstances;
  if (!SCHEMES.includes(scheme)) {
    return `There are no suggestions in documents with the scheme \`${scheme}\`.`;
  }
  if (!languagesOn.includes(language) && !languagesKnown.includes(language)) {
    return `There is no grammar for ${title()}, so nothing is suggested here.`;
  }
  if (!languagesOn.includes(language)) {
    return `Suggestions are turned off in ${title()}. See the setting \`dovetail.languages\`.`;
  }
  if (turnedOff) {
    return "Suggestions are turned off in this document.";
  }
  if (!editorShows) {
    return "Inline suggestions are turned off in VS Code. See the setting `editor.inlineSuggest.enabled`.";
  }
  return null;
}

/** Return whether a request at a position ended without a suggestion, so that it is worth sending again. */
export function isUnanswered(question: Question | null, line: number, column: number): boolean {
  if (question?.line !== line || question.column !== column) {
    return false;
  }
  const { outcome } = question;
  return outcome.kind === "failed" || outcome.kind === "cancelled"
    || (outcome.kind === "answered" && outcome.items === 0);
}

/** Return the sentence that says why a document gets no suggestion. */
export function whyNone(state: State, reasonOff: string | null, question: Question | null): string {
  if (state.kind === "off") {
    return sentence(state);
  }
  if (reasonOff !== null) {
    return reasonOff;
  }
  if (state.kind !== "ready") {
    return sentence(state);
  }
  return question === null
    ? "No suggestion has been requested in this document yet. Type, or trigger a suggestion by hand."
    : sentenceOf(question);
}

function sentenceOf({ line, column, outcome }: Question): string {
  const place = `The last request, at line ${line}, column ${column},`;
  switch (outcome.kind) {
    case "open":
      return `${place} has no answer yet.`;
    case "cancelled":
      return `${place} was cancelled because you went on.`;
    case "failed":
      return `${place} failed. See the log.`;
    case "answered": {
      const time = `after ${(outcome.milliseconds / 1000).toFixed(1)} s`;
      return outcome.items > 0
        ? `${place} was answered ${time} with ${outcome.items === 1 ? "one suggestion" : `${outcome.items} suggestions`}.`
        : `${place} was answered ${time} without a suggestion: no text was found in time that fits both sides of the`
          + " cursor and is worth showing.";
    }
  }
}

/** Why a document gets no suggestion. */

import { sentence, type State } from "./state";

/** What is known of a document besides the server's state. */
export interface Circumstances {
  readonly language: string;
  readonly scheme: string;
  readonly languagesOn: readonly string[];
  /** Whether the user turned suggestions off in this document. */
  readonly turnedOff: boolean;
  /** VS Code's own switch, `editor.inlineSuggest.enabled`. */
  readonly editorShows: boolean;
}

/** The last question of a document and what became of it. */
export interface Question {
  readonly line: number;        // from 1
  readonly column: number;      // from 1, in UTF-16 units
  readonly outcome: Outcome;
}

/** What became of a question. */
export type Outcome =
  | { readonly kind: "open" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed" }
  | { readonly kind: "answered"; readonly items: number; readonly milliseconds: number };

/** The places of documents that can be completed. */
export const SCHEMES: readonly string[] = ["file", "untitled", "vscode-notebook-cell"];

/** Return why a document is not asked about, or null if it is. */
export function silenceOf(circumstances: Circumstances): string | null {
  const { language, scheme, languagesOn, turnedOff, editorShows } = circumstances;
  if (!SCHEMES.includes(scheme)) {
    return `Documents of the kind \`${scheme}\` are not completed.`;
  }
  if (!languagesOn.includes(language)) {
    return `Suggestions are not switched on for the language \`${language}\`; see the setting \`dovetail.languages\`.`;
  }
  if (turnedOff) {
    return "Suggestions are turned off in this document.";
  }
  if (!editorShows) {
    return "VS Code shows no inline suggestions; see the setting `editor.inlineSuggest.enabled`.";
  }
  return null;
}

/** Return the sentence that answers "why is there no suggestion?" for a document. */
export function whyNone(state: State, silence: string | null, question: Question | null): string {
  if (state.kind === "off") {
    return sentence(state);
  }
  if (silence !== null) {
    return silence;
  }
  if (state.kind !== "ready") {
    return sentence(state);
  }
  return question === null
    ? "Nothing was asked yet in this document: type, or trigger a suggestion by hand."
    : sentenceOf(question);
}

function sentenceOf({ line, column, outcome }: Question): string {
  const place = `The last question, at line ${line}, column ${column},`;
  switch (outcome.kind) {
    case "open":
      return `${place} has no answer yet.`;
    case "cancelled":
      return `${place} was taken back because you went on.`;
    case "failed":
      return `${place} ended with an error; the log says more.`;
    case "answered": {
      const time = `after ${(outcome.milliseconds / 1000).toFixed(1)} s`;
      return outcome.items > 0
        ? `${place} was answered ${time} with ${outcome.items === 1 ? "one suggestion" : `${outcome.items} suggestions`}.`
        : `${place} was answered ${time} with nothing: no text was found in time that fits before and after the cursor`
          + " and is worth showing.";
    }
  }
}

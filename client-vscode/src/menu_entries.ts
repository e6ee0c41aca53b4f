/** The entries of the menu. */

import type { State } from "./state";

/** An entry: the text that is shown, and the command that it runs. */
export interface Entry {
  readonly label: string;
  readonly command: string;
}

/**
 * Return the entries for a state of the server, the most useful first; `language` is the title of the active one.
 * `isOutdated`: whether the extension brings another version of the server than the one that is installed.
 */
export function entriesFor(state: State, language: string | null, isOutdated = false): Entry[] {
  const first: Entry[] = state.kind === "installing"
    ? [{ label: "$(sync~spin) Show the progress of the installation", command: "notifications.showList" }]
    : state.kind === "missing" || state.kind === "failed"
      ? [{ label: "$(cloud-download) Install the server", command: "dovetail.installServer" }]
      : isOutdated
        ? [{ label: "$(cloud-download) Update the server", command: "dovetail.updateServer" }]
        : [];
  return [
    ...first,
    { label: "$(question) Why is there no suggestion?", command: "dovetail.whyNoSuggestion" },
    { label: `$(circle-slash) Turn suggestions ${state.kind === "off" ? "on" : "off"}`, command: "dovetail.toggle" },
    ...(language === null ? [] : [
      { label: `$(symbol-namespace) Turn suggestions on or off in ${language}`, command: "dovetail.toggleLanguage" },
      { label: "$(file) Turn suggestions on or off in this document", command: "dovetail.toggleDocument" },
    ]),
    { label: "$(chip) Choose a model", command: "dovetail.chooseModel" },
    { label: "$(debug-restart) Restart the server", command: "dovetail.restart" },
    { label: "$(output) Show the log", command: "dovetail.showLog" },
  ];
}

/** The entries of the menu. */

import { lacksModel, type State } from "./state";

/** An entry: the text that is shown, and the command that it runs, with an argument if it takes one. */
export interface Entry {
  readonly label: string;
  readonly command: string;
  readonly argument?: string;
}

/** The document whose language and whose own switch the menu can turn. */
export interface ActiveDocument {
  /** The title of its language. */
  readonly language: string;
  /** Whether suggestions are on in its language. */
  readonly languageIsOn: boolean;
  /** Whether they are on in the document itself. */
  readonly isOn: boolean;
}

/** The characters that fit into the menu's input, in which VS Code cuts a longer text without a mark. */
const WIDTH = 80;

/** Return a sentence as it fits into the menu, cut between words. The status bar's tooltip and *Why* have the whole. */
export function shortened(says: string): string {
  if (says.length <= WIDTH) {
    return says;
  }
  const kept = says.slice(0, WIDTH);
  return `${kept.slice(0, Math.max(kept.lastIndexOf(" "), WIDTH / 2)).replace(/[\s,:;(]+$/, "")} …`;
}

/**
 * Return the entries for a state of the server and the active document, the most useful first.
 * `isOutdated`: whether the extension brings another version of the server than the one that is installed.
 */
export function entriesFor(state: State, active: ActiveDocument | null, isOutdated = false): Entry[] {
  const hasStopped = state.kind === "failed" && !lacksModel(state);
  const first: Entry[] = state.kind === "installing"
    ? [{ label: "$(sync~spin) Show the progress of the installation", command: "notifications.showList" }]
    : state.kind === "missing" || hasStopped
      ? [{ label: "$(cloud-download) Install the server", command: "dovetail.installServer" }]
      : isOutdated
        ? [{ label: "$(cloud-download) Update the server", command: "dovetail.updateServer" }]
        : [];
  const suggests = active !== null && (state.kind === "ready" || state.kind === "idle");
  const restart: Entry = { label: "$(debug-restart) Restart the server", command: "dovetail.restart" };
  const models: Entry = { label: "$(chip) Choose a model", command: "dovetail.chooseModel" };
  return [
    ...first,
    ...(hasStopped ? [restart] : []),
    ...(lacksModel(state) ? [models] : []),
    ...(suggests ? [{ label: "$(lightbulb) Suggest now", command: "dovetail.suggestNow" }] : []),
    { label: "$(question) Why is there no suggestion?", command: "dovetail.whyNoSuggestion" },
    { label: `$(circle-slash) Turn suggestions ${opposite(state.kind !== "off")}`, command: "dovetail.toggle" },
    ...(active === null ? [] : [
      {
        label: `$(symbol-namespace) Turn suggestions ${opposite(active.languageIsOn)} in ${active.language}`,
        command: "dovetail.toggleLanguage",
      },
      { label: `$(file) Turn suggestions ${opposite(active.isOn)} in this document`, command: "dovetail.toggleDocument" },
    ]),
    ...(lacksModel(state) ? [] : [models]),
    ...(hasStopped ? [] : [restart]),
    { label: "$(output) Show the log", command: "dovetail.showLog" },
    { label: "$(settings-gear) Open the settings", command: "workbench.action.openSettings", argument: "dovetail" },
  ];
}

/** Return the word for the state that a switch brings about. */
function opposite(isOn: boolean): string {
  return isOn ? "off" : "on";
}

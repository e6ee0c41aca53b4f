/** The states of the server, and how the status bar shows them. */

/** A state of the server. */
export type State =
  | { readonly kind: "idle" }                                        // no visible document needs it yet
  | { readonly kind: "off" }
  | { readonly kind: "missing" }
  | { readonly kind: "installing"; readonly step?: string }
  | { readonly kind: "starting" }
  | { readonly kind: "stopping" }
  | { readonly kind: "loading"; readonly says?: string }              // the model, or what else is needed
  | { readonly kind: "ready"; readonly says: string; readonly warns: boolean }
  | { readonly kind: "waiting"; readonly reason: string; readonly seconds: number }
  | { readonly kind: "failed"; readonly reason: string; readonly runs: boolean };   // `runs`: without a model

/** Return whether a server runs that has no model. */
export function lacksModel(state: State): boolean {
  return state.kind === "failed" && state.runs;
}

/** Return the state of a running server after it has told its status. A ready one stays ready while its model computes. */
export function stateAfter(
  before: State,
  { warns, busy, message, preparing }: { warns: boolean; busy: boolean; message: string; preparing: boolean },
): State {
  if (!busy) {
    return { kind: "ready", says: message, warns };
  }
  return preparing || before.kind !== "ready" ? { kind: "loading", says: message } : before;
}

/** The look of the status bar item. */
export interface Appearance {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "plain" | "warning" | "error";
}

/** Return one sentence that describes a state. */
export function sentence(state: State): string {
  switch (state.kind) {
    case "idle":
      return "The server starts when you open a document in a language that is switched on.";
    case "off":
      return "Suggestions are turned off. No server is running.";
    case "missing":
      return "The server is not installed.";
    case "installing":
      return state.step === undefined ? "The server is being installed." : `The server is being installed: ${state.step}.`;
    case "starting":
      return "The server is starting.";
    case "stopping":
      return "The server is being stopped.";
    case "loading":
      return state.says ?? "The model is being loaded.";
    case "ready":
      return state.says;
    case "waiting":
      return `${state.reason} It is restarted in ${state.seconds} s.`;
    case "failed":
      return state.reason;
  }
}

/**
 * Return one sentence that describes a state, and after it the mistakes in the settings; `reasonOff` says why the active
 * document gets no suggestions, if so.
 */
export function sentenceHere(state: State, reasonOff: string | null, mistakes: readonly string[] = []): string {
  // Before a server runs, and when it fails, that is what the user has to know first.
  const here = reasonOff !== null && (state.kind === "idle" || state.kind === "ready") ? reasonOff : sentence(state);
  return [here, ...mistakes].join(" ");
}

/** Return whether the server has just become able to answer requests that it could not answer before. */
export function hasRecovered(before: State, now: State): boolean {
  if (now.kind !== "ready") {
    return false;
  }
  // A server that has restarted its model stays ready, with a new warning.
  return before.kind !== "ready" || (now.warns && now.says !== before.says);
}

/**
 * Return the look for a state; `reasonOff` says why the active document gets no suggestions, null if it does. Mistakes in
 * the settings are a warning.
 */
export function appearance(state: State, reasonOff: string | null, mistakes: readonly string[] = []): Appearance {
  const look = lookOf(state, reasonOff, `Dovetail: ${sentenceHere(state, reasonOff, mistakes)}`);
  return mistakes.length === 0 || look.severity === "error"
    ? look
    : { ...look, text: look.text.replace("$(check)", "$(warning)"), severity: "warning" };
}

function lookOf(state: State, reasonOff: string | null, tooltip: string): Appearance {
  switch (state.kind) {
    case "missing":      // nothing is wrong before the first installation; the message about it goes after some seconds
      return { text: "$(cloud-download) Dovetail: not installed", tooltip, severity: "plain" };
    case "failed":
      return { text: "$(error) Dovetail", tooltip, severity: "error" };
    case "waiting":
      return { text: "$(warning) Dovetail", tooltip, severity: "warning" };
    case "installing":
    case "starting":
    case "stopping":
    case "loading":
      return { text: "$(loading~spin) Dovetail", tooltip, severity: "plain" };
    case "off":
      return { text: "$(circle-slash) Dovetail", tooltip, severity: "plain" };
    case "idle":
    case "ready": {
      const warns = state.kind === "ready" && state.warns;
      const icon = reasonOff !== null ? "circle-slash" : warns ? "warning" : state.kind === "ready" ? "check" : "circle-outline";
      return {
        text: `$(${icon}) Dovetail`,
        tooltip,
        severity: warns ? "warning" : "plain",
      };
    }
  }
}

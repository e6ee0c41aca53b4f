/** The states that the server can be in, and how they read. */

/** What the server does now. */
export type State =
  | { readonly kind: "idle" }                                        // no document has asked for it yet
  | { readonly kind: "off" }
  | { readonly kind: "missing" }
  | { readonly kind: "installing" }
  | { readonly kind: "starting" }
  | { readonly kind: "loading" }                                     // the model
  | { readonly kind: "ready"; readonly says: string; readonly warns: boolean }
  | { readonly kind: "waiting"; readonly reason: string; readonly seconds: number }
  | { readonly kind: "failed"; readonly reason: string };            // runs without a model, or does not run

/** How the status bar shows a state. */
export interface Appearance {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "plain" | "warning" | "error";
}

/** Return one sentence that says what the server does. */
export function sentence(state: State): string {
  switch (state.kind) {
    case "idle":
      return "The server starts with the first document of a language that is switched on.";
    case "off":
      return "Suggestions are turned off, and no server runs.";
    case "missing":
      return "The server is not installed.";
    case "installing":
      return "The server is being installed.";
    case "starting":
      return "The server starts.";
    case "loading":
      return "The model is being loaded.";
    case "ready":
      return state.says;
    case "waiting":
      return `${state.reason} It is started again in ${state.seconds} s.`;
    case "failed":
      return state.reason;
  }
}

/** Return how the status bar shows a state; `silence` says why the active document gets nothing, if it does not. */
export function appearance(state: State, silence: string | null): Appearance {
  const tooltip = `Dovetail: ${sentence(state)}`;
  switch (state.kind) {
    case "missing":      // before the first installation, which is offered: nothing is wrong
      return { text: "$(cloud-download) Dovetail", tooltip, severity: "plain" };
    case "failed":
      return { text: "$(error) Dovetail", tooltip, severity: "error" };
    case "waiting":
      return { text: "$(warning) Dovetail", tooltip, severity: "warning" };
    case "installing":
    case "starting":
    case "loading":
      return { text: "$(loading~spin) Dovetail", tooltip, severity: "plain" };
    case "off":
      return { text: "$(circle-slash) Dovetail", tooltip, severity: "plain" };
    case "idle":
    case "ready": {
      const warns = state.kind === "ready" && state.warns;
      const icon = silence !== null ? "circle-slash" : warns ? "warning" : state.kind === "ready" ? "check" : "circle-outline";
      return {
        text: `$(${icon}) Dovetail`,
        tooltip: silence === null ? tooltip : `Dovetail: ${silence}`,
        severity: warns ? "warning" : "plain",
      };
    }
  }
}

/** The models that the server offers: its list, the command lines that use it, and the words that are shown. */

import type { Command } from "./command";

/** A model of the list of `dovetail models --json`. */
export interface OfferedModel {
  readonly name: string;
  readonly title: string;
  readonly gigabytes: number;
  readonly licence: string;
  readonly languages: string;
  readonly reason: string;
  /** Whether this machine has room for it, in words. */
  readonly fits: string;
  /** Whether it is on this machine. */
  readonly isHere: boolean;
  /** Bytes that an unfinished download has left. */
  readonly unfinished: number;
  /** Tokens a second that it writes here, or null if that was not measured. */
  readonly speed: number | null;
}

/** One step of a download. */
export type Step =
  | { readonly kind: "received"; readonly bytes: number; readonly size: number }
  | { readonly kind: "done" };

/** Return the command line of `dovetail models` for a server's command line, or null for one without `serve`. */
export function modelsCommand(server: Command, ...words: string[]): Command | null {
  const at = server.lastIndexOf("serve");
  const [program, ...before] = server.slice(0, at);
  return at < 1 || program === undefined ? null : [program, ...before, "models", ...words];
}

/** Return the models of an answer; null if it is another one, as that of a server that has no such list. */
export function readModels(answer: string): OfferedModel[] | null {
  const list = parsed(answer)?.models;
  if (!Array.isArray(list)) {
    return null;
  }
  const models = list.map(readModel);
  return models.every((model) => model !== null) ? models : null;
}

function readModel(value: unknown): OfferedModel | null {
  if (!isMapping(value)) {
    return null;
  }
  const { name, title, gigabytes, licence, languages, reason, fit_words: fits, path, unfinished, speed } = value;
  if (typeof name !== "string" || typeof title !== "string" || typeof licence !== "string" || typeof fits !== "string"
    || typeof languages !== "string" || typeof reason !== "string" || typeof gigabytes !== "number"
    || typeof unfinished !== "number") {
    return null;
  }
  const text = isMapping(speed) && typeof speed.text === "number" ? speed.text : null;
  return { name, title, gigabytes, licence, languages, reason, fits, isHere: path !== null, unfinished, speed: text };
}

/** Return the step of a download that a line tells of, or null for any other line. */
export function readStep(line: string): Step | null {
  const step = parsed(line);
  if (typeof step?.received === "number" && typeof step.size === "number") {
    return { kind: "received", bytes: step.received, size: step.size };
  }
  return typeof step?.path === "string" ? { kind: "done" } : null;
}

/** Return what a list shows beside the title of a model. */
export function description(model: OfferedModel): string {
  const speed = model.speed === null ? [] : [`${model.speed.toFixed(0)} tokens a second here`];
  const presence = model.isHere ? "on this machine"
    : model.unfinished > 0 ? `${size(model.gigabytes)}, of which ${size(model.unfinished / 1e9)} are here`
    : `${size(model.gigabytes)} to download`;
  return [presence, model.fits, ...speed, model.licence].join(" · ");
}

/** Return the question before a download. */
export function question(model: OfferedModel): string {
  return `Download ${model.title} (${size(model.gigabytes)}) from the Hugging Face hub?`;
}

/** Return a size in gigabytes as people read it. */
export function size(gigabytes: number): string {
  return gigabytes < 0.1 ? `${(gigabytes * 1000).toFixed(0)} MB` : `${gigabytes.toFixed(1)} GB`;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? value : null;
  } catch {
    return null;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

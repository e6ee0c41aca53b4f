/** Checks of a model's name before it becomes a setting. */

import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";

/** A name on the hub: `owner/name`. */
const NAME = /^[\w.-]+\/[\w.-]+$/;

/** The beginning of a path: `/`, `~/`, `./`, `../`, or a drive of Windows. */
const PATH = /^(?:\/|~\/|\.\.?\/|[A-Za-z]:[\\/])/;

/** Return a sentence that says why a text cannot be the name of a model on this machine, or null if it can. */
export async function mistakeInName(text: string): Promise<string | null> {
  if (text === "") {
    return "Write the name of a model on the hub as owner/name.";
  }
  if (PATH.test(text)) {
    const folder = text.startsWith("~/") ? path.join(homedir(), text.slice(2)) : text;
    const isFolder = path.isAbsolute(folder) && await stat(folder).then((found) => found.isDirectory(), () => false);
    return isFolder ? null : `There is no folder ${text} on this machine.`;
  }
  return NAME.test(text) ? null : "Write the name of a model on the hub as owner/name.";
}

/** The command that starts the server. */

import type { Environment } from "./environment";
import { onPath } from "./programs";

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/** Return the configured command, else that of the installed server, else `dovetail` from the `PATH`, else null. */
export async function findCommand(
  configured: Command | null,
  environment: Pick<Environment, "command">,
  variables: NodeJS.ProcessEnv,
): Promise<Command | null> {
  if (configured !== null) {
    return configured;
  }
  const own = await environment.command();
  if (own !== null) {
    return own;
  }
  const program = await onPath("dovetail", variables);
  return program === null ? null : [program, "serve"];
}

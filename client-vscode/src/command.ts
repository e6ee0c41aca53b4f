/** The command that starts the server. */

import type { Environment } from "./environment";
import { onPath } from "./programs";

/** A program and its words. */
export type Command = readonly [string, ...string[]];

/** Return the command: the configured one, the installed server's, the one on the search path, or null. */
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

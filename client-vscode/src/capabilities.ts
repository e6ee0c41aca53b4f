/** The experimental capabilities, in which the extension tells the server what its user sees and allows. */

import { asksAgain } from "./asks_again";
import { SERVER_SETTINGS, serverName } from "./settings";

/** The notification of the server's status, which the status bar follows. */
export const DID_CHANGE_STATUS = "didChangeStatus";

/** The commands that mend a model, as they stand in a sentence of the server in the place of a terminal's. */
const WAYS = {
  models: "*Dovetail: Choose a Model*",
  packages: "*Dovetail: Install PyTorch for More Models*",
  key: "run *Dovetail: Set the Key of the Team's Host*",
};

/** The server's name of each setting, and the one that its user writes. */
const SETTING_NAMES = Object.fromEntries(SERVER_SETTINGS.map((name) => [serverName(name), `dovetail.${name}`]));

/**
 * Return the experimental capabilities of VS Code of a version. In a workspace that its user does not trust, the server
 * reads no file for the setting `context`; when trust is granted, the extension starts another server.
 */
export function experimental(version: string, trusted: boolean): Record<string, boolean | Record<string, string>> {
  return {
    [DID_CHANGE_STATUS]: true, asksAgain: asksAgain(version), trustedWorkspace: trusted, ways: WAYS,
    settingNames: SETTING_NAMES,
  };
}

/** The output of pip during an installation. */

/** Return what to show of a line that pip prints during a step, or null if it says nothing new. */
export function shownOf(step: string, line: string): string | null {
  if (line.startsWith("Installing collected packages")) {
    return "unpacking the packages, which takes up to a minute";      // pip prints nothing more until it is done
  }
  const at = /^(?:Collecting|Downloading|Installing) .{0,60}/.exec(line)?.[0];
  return at === undefined ? null : `${step}. ${at}`;
}

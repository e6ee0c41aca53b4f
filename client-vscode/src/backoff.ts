/** The delay before a server that ended unexpectedly is restarted. */

/** Milliseconds during which ends are counted. */
const PERIOD = 3 * 60_000;

/** Number of ends within the period after which the server is not restarted. */
const TOO_MANY = 5;

/** Milliseconds before the first restart. */
const FIRST = 1_000;

/**
 * Return the delay in milliseconds before the next restart, or null if the server is not to be restarted.
 *
 * `ends` are the times at which the server ended, in milliseconds, ascending. The delay doubles with each end within
 * the last three minutes:
 * `delayAfter([0])` is 1000, `delayAfter([0, 2000])` is 2000.
 */
export function delayAfter(ends: readonly number[]): number | null {
  const last = ends[ends.length - 1];
  if (last === undefined) {
    return 0;
  }
  const recent = ends.filter((end) => last - end < PERIOD).length;
  return recent >= TOO_MANY ? null : FIRST * 2 ** (recent - 1);
}

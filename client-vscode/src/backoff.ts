/** How long to wait before a server that ended by itself is started again. */

/** Milliseconds in which too many ends mean that it does not help to start again. */
const PERIOD = 3 * 60_000;

/** Ends within the period after which it is left alone. */
const TOO_MANY = 5;

const FIRST = 1_000;

/**
 * Return the milliseconds to wait after the last of some ends, or null where the server is to be left alone.
 *
 * `ends` are times in milliseconds, ascending. The wait doubles with every end of the last three minutes:
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

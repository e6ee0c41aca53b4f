/** Settings that a user has written and nobody declares: VS Code hands none of them to the server. */

/** Return the names of settings that are not among the known ones; `value` holds all that are below `dovetail`. */
export function unknownSettings(value: unknown, known: readonly string[], above = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, below]) => {
    const name = `${above}${key}`;
    if (known.includes(name)) {
      return [];
    }
    const isSection = known.some((other) => other.startsWith(`${name}.`)) && typeof below === "object" && below !== null;
    return isSection ? unknownSettings(below, known, `${name}.`) : [name];
  });
}

/** Return a sentence about a setting that is not known, with the nearest that is. */
export function sentenceAbout(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `There is no setting \`dovetail.${name}\`${near === null ? "." : `: did you mean \`dovetail.${near}\`?`}`;
}

/** Return the known name that is spelt most like another, or null if none is much like it. */
export function nearest(name: string, known: readonly string[]): string | null {
  const [near] = known
    .map((other) => ({ other, changes: changesBetween(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.changes - two.changes);
  return near !== undefined && near.changes <= Math.max(2, name.length / 3) ? near.other : null;
}

/** Return the number of letters to put in, take out or replace that make one word the other. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of Array.from(one).entries()) {
    const next = [above + 1];
    for (const [before, its] of Array.from(other).entries()) {
      const replaced = (row[before] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(replaced, (row[before + 1] ?? 0) + 1, (next[before] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

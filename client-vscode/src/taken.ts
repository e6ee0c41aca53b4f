/** Detection of suggestions that were accepted in part. */

/**
 * Return which of some suggested texts a change accepted in part, and the length of the part that is accepted so far.
 *
 * `stands` is the document's text from the start of the suggestion to the end of the change. Returns null if the change
 * is not a partial acceptance: it continues none of the texts, completes one, or inserts a single character, as typing
 * does. `takenBy(["price * rate"], "price", "price")` is `{ index: 0, length: 5 }`.
 */
export function takenBy(
  texts: readonly string[], stands: string, inserted: string,
): { readonly index: number; readonly length: number } | null {
  const index = goesOn(texts, stands);
  const text = texts[index];
  return text === undefined || inserted.length < 2 || stands.length === text.length
    ? null
    : { index, length: stands.length };
}

/** Return the index of the first text that begins with `stands`, or -1. */
export function goesOn(texts: readonly string[], stands: string): number {
  return texts.findIndex((text) => text.startsWith(stands));
}

/** How much of a suggestion stands in a document. */

/**
 * Return how many characters of one of some texts a change has taken, and the place of that text among them.
 *
 * `stands` is what the document holds from the beginning of the texts to the end of what the change inserted. Null where
 * the change was no acceptance of a part: it goes on with none of the texts, takes one to its end, or inserts a single
 * character, as typing does. `takenBy(["price * rate"], "price", "price")` is `{ index: 0, length: 5 }`.
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

/** Return the place of the first text that begins with what stands there, or -1. */
export function goesOn(texts: readonly string[], stands: string): number {
  return texts.findIndex((text) => text.startsWith(stands));
}

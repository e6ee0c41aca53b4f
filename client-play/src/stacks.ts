// The parse stacks, each as a row of boxes with its top on the right.
import type { StackEntry, Stacks } from "./answers";
import { element, plain } from "./elements";
import { stateName } from "./layers";

/** Return the rows of some stacks; `pending`: what the lexeme in progress may become, which is not on them yet. */
export function showStacks(stacks: Stacks, pending: readonly string[]): HTMLElement[] {
  const rows: HTMLElement[] = stacks.stacks.map((stack, index) => {
    const hidden = stacks.hidden[index] ?? 0;
    const row = showStack(stack, new Map(), hidden > 0 ? `${hidden.toLocaleString("en")} more` : "");
    if (pending.length > 0) {
      const names = pending.slice(0, 3).map(plain).join(" or ");
      const title = "the lexeme in progress: it is not on the stack yet";
      row.append(element("li", { class: "pending", title }, pending.length > 3 ? `${names} or …` : names));
    }
    return row;
  });
  if (stacks.count > stacks.stacks.length) {
    const more = stacks.count - stacks.stacks.length;
    rows.push(element("p", { class: "note" }, `and ${more.toLocaleString("en")} more stacks`));
  }
  return rows;
}

/**
 * Return the row of one stack. `marks`: stack node → the states of the automaton that lie on it in its run; `hidden`: what
 * is said of the lowest entries, if they are not shown.
 */
export function showStack(
  stack: readonly StackEntry[], marks: ReadonlyMap<number, readonly number[]>, hidden: string,
): HTMLElement {
  const boxes = stack.map((entry) => {
    const title = [`LR state ${entry.state}`, ...entry.items].join("\n");
    const box = element("li", { title, tabindex: "0" }, plain(entry.symbol));
    const above = marks.get(entry.node);
    if (above !== undefined) {
      box.append(element("small", {}, above.map(stateName).join(" ")));
    }
    return box;
  });
  const more = hidden === "" ? [] : [element("li", { class: "more" }, hidden)];
  return element("ol", { class: "stack", "aria-label": "parse stack, its top last" }, ...more, ...boxes);
}

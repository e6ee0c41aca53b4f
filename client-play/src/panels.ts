// The panels of the page: each function returns the contents of one.
import type { Examination, ExpectedClass, Trial } from "./answers";
import { code, element, plain, sentence, symbolName, visible } from "./elements";

const SHOWN = 14;      // members of a class before "more"

/** What a panel may do to the editor. */
export interface Actions {
  insert: (text: string) => void;
  goTo: (offset: number) => void;
}

/** Return the verdict on the place: one sentence, and what to do. */
export function verdict(answer: Examination, actions: Actions): { kind: string; contents: (Node | string)[] } {
  if (answer.fits) {
    return { kind: "good", contents: [element("strong", {}, "The text is a program as it stands.")] };
  }
  const omitted = answer.omissions.some((part) => !part.unread);
  const beside = omitted ? "Apart from what is struck through, " : "";
  if (!answer.viable) {
    const because = answer.refusal === null
      ? "What stands before the cursor is the beginning of a program; what stands after it does not go with it."
      : `What stands before the cursor is not the beginning of a program: ${answer.refusal}.`;
    return {
      kind: "bad",
      contents: [element("strong", {}, "Nothing fits here: no text at the cursor makes a program of this. "), ...sentence(because)],
    };
  }
  if (answer.accepting) {
    return { kind: "fair", contents: [element("strong", {}, `${beside}the text is a program as it stands.`)] };
  }
  if (answer.is_line_wrong) {
    return {
      kind: "bad",
      contents: [
        element("strong", {}, `${beside}the cursor's line is itself wrong, and no text at the cursor mends it. `),
        "Only what takes the rest of the line into a comment or a long string fits.",
      ],
    };
  }
  if (answer.closing === null) {
    return { kind: "fair", contents: [element("strong", {}, `${beside}something fits here, but no closing was found.`)] };
  }
  const closing = answer.closing;
  const button = element("button", { type: "button", id: "close", title: "Ctrl-Enter" }, "Insert it");
  button.addEventListener("click", () => actions.insert(closing));
  return {
    kind: "fair",
    contents: [
      element("strong", {}, `${beside === "" ? "The" : `${beside}the`} text is no program yet. `),
      "Shortest closing: ", code(closing, 60), " ", button,
    ],
  };
}

/** Return what may come next: phrases and named terminals with examples, then words, then signs. */
export function expected(classes: readonly ExpectedClass[], insert: ((text: string) => void) | null): Node[] {
  const named = classes.filter((each) => each.members.length > 1 || plain(each.name) === each.name);
  const literal = classes.filter((each) => !named.includes(each)).flatMap((each) => each.members);
  const words = literal.filter((each) => /^[\p{L}_]/u.test(plain(each.name)));
  const signs = literal.filter((each) => !words.includes(each));
  const rows: [string, ExpectedClass["members"]][] = [
    ...named.map((each) => [each.name, each.members] as [string, ExpectedClass["members"]]),
    ...(words.length > 0 ? [["a word", words] as [string, ExpectedClass["members"]]] : []),
    ...(signs.length > 0 ? [["a sign", signs] as [string, ExpectedClass["members"]]] : []),
  ];
  if (rows.length === 0) {
    return [element("p", { class: "note" }, "Nothing may come here.")];
  }
  const list = element("dl", { class: "expected" });
  for (const [name, members] of rows) {
    const chips = members.map((member) => chip(member, insert));
    const first = chips.slice(0, SHOWN);
    const rest = chips.slice(SHOWN);
    const more = rest.length === 0
      ? [] : [element("details", {}, element("summary", {}, `${rest.length} more`), ...rest)];
    list.append(element("dt", {}, name), element("dd", {}, ...first, ...more));
  }
  return [list];
}

function chip(member: { name: string; text: string }, insert: ((text: string) => void) | null): HTMLElement {
  if (member.text === "") {
    return element("span", { class: "note" }, `${plain(member.name)}, as the right text goes on`);
  }
  if (insert === null) {
    return code(member.text);
  }
  const button = element("button", { type: "button", class: "chip", title: `${plain(member.name)}: insert it` }, visible(member.text));
  button.addEventListener("click", () => insert(member.text));
  return button;
}

const OUTCOMES = {
  "none": "No lexeme is in progress at the cursor.",
  "ends": "ends at the cursor if nothing is inserted.",
  "goes on": "goes on into the right text if nothing is inserted.",
  "falls back": "comes to nothing in the right text, so what it was before counts.",
};

/** Return how the two texts meet: the two texts near the cursor, and the lexemes across it. */
export function seam(answer: Examination, left: string, right: string): Node[] {
  const near = element("p", { class: "seam" },
    element("span", { class: "left", title: "the left context" }, tail(left)), element("span", { class: "cursor" }),
    element("span", { class: "right", title: "the right context" }, visible(right, 28)));
  const { pending, outcome, crossing } = answer.boundary;
  const fate = outcome === "none"
    ? element("p", {}, OUTCOMES.none)
    : element("p", {}, "The lexeme in progress, ", ...separated(pending.map(symbolName)), `, ${OUTCOMES[outcome]}`);
  const shown = crossing.filter((lexeme) => lexeme.fits || lexeme.in_progress).slice(0, 8);
  if (shown.length === 0) {
    return [near, fate];
  }
  const items = shown.map((lexeme) => element("li", lexeme.fits ? {} : { class: "unfit" },
    plain(lexeme.name), ", with ", code(lexeme.taken), " of the right text; ", lexeme.fits ? "fits" : "does not fit"));
  return [near, fate, element("p", {}, "Lexemes that may lie across the cursor:"), element("ul", {}, ...items)];
}

/** Return the mistakes of the text and the parts that were left out. */
export function mistakes(answer: Examination, actions: Actions): Node[] {
  const items = [
    ...answer.faults.map((fault) => item(`line ${fault.line}, column ${fault.column}`, fault.offset, actions, fault.message)),
    ...answer.omissions.map((part) => {
      const lines = part.first_line === part.last_line ? `line ${part.first_line}` : `lines ${part.first_line} to ${part.last_line}`;
      const words = part.unread ? "not read yet" : "left out, because it does not fit";
      return item(lines, part.start, actions, part.instead === "" ? words : `${words}; read as \`${part.instead}\``);
    }),
  ];
  return items.length === 0 ? [] : [element("ul", { class: "mistakes" }, ...items)];
}

function item(place: string, offset: number, actions: Actions, words: string): HTMLElement {
  const button = element("button", { type: "button", class: "place" }, place);
  button.addEventListener("click", () => actions.goTo(offset));
  return element("li", {}, button, " ", ...sentence(words));
}

/** Return what becomes of the text that was tried. */
export function trial(answer: Trial): Node[] {
  if (!answer.viable) {
    return [element("p", { class: "bad" }, "Nothing fits here, whatever is typed.")];
  }
  if (answer.by === null) {
    const after = answer.accepting
      ? ["With it, the text is a program."]
      : answer.closing === null ? ["It fits, and something has to follow."] : ["It fits; the shortest closing after it: ", code(answer.closing, 60)];
    return [element("p", { class: "good" }, ...after)];
  }
  const [first = ""] = Array.from(answer.refused);
  const reason = answer.by === "left"
    ? " is refused by the text before the cursor: no program goes on like this, whatever follows."
    : " could follow the text before the cursor, but the text after the cursor could then not follow.";
  const instead = answer.expected.length === 0
    ? [element("p", {}, "Only the text after the cursor may follow there.")]
    : [element("p", {}, "Expected there:"), ...expected(answer.expected, null)];
  return [
    element("p", { class: "bad" }, ...(answer.taken === "" ? [] : ["After ", code(answer.taken), ", "]), code(first), reason),
    ...instead,
  ];
}

function separated(nodes: Node[]): (Node | string)[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [" or ", node]));
}

function tail(text: string): string {
  const characters = Array.from(text);
  return characters.length > 28 ? `…${visible(characters.slice(-28).join(""), 28)}` : visible(text, 28);
}

// Elements of the page, made without HTML in strings: no text of a document is ever read as markup.

type Child = Node | string;

/** Return an HTML element with properties of the page's own kind and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Return an SVG element. */
export function drawing<Name extends keyof SVGElementTagNameMap>(
  name: Name, attributes: Record<string, string | number> = {}, ...children: Child[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** Return an element of the page by its id. */
export function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`The page has no ${kind.name} called ${id}.`);
  }
  return found;
}

/** Return a text with its blanks and line ends made visible, shortened if it is long. */
export function visible(text: string, longest = 24): string {
  const shown = text.replaceAll("\r\n", "⏎").replaceAll(/[\n\r]/g, "⏎").replaceAll("\t", "⇥").replaceAll(" ", "␣");
  const characters = Array.from(shown);
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : shown;
}

/** Return an element that shows a text as code, with its blanks and line ends visible. */
export function code(text: string, longest?: number): HTMLElement {
  return element("code", { title: text }, visible(text, longest));
}

/** Return the name of a terminal without the quotes around literal ones. */
export function plain(name: string): string {
  return name.length > 2 && name.startsWith("`") && name.endsWith("`") ? name.slice(1, -1) : name;
}

/** Return an element that shows the name of a symbol. */
export function symbolName(name: string): HTMLElement {
  return element("code", {}, plain(name));
}

/** Return a sentence of the server's with what it quotes shown as code. */
export function sentence(words: string): Child[] {
  return words.split(/`(`(?=`)|[^`]+)`/).map((text, index) => (index % 2 === 0 ? text : code(text, 60)));
}

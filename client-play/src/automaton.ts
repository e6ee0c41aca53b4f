// The drawing of a right text's automaton, and its run in words.
import type { Automaton, AutomatonEdge, AutomatonState } from "./answers";
import { drawing, element, plain, symbolName, visible } from "./elements";
import { placeInLayers, stateName } from "./layers";

const LETTER = 7.3;     // the width of a letter in a state
const SMALL = 6.8;      // and in a label
const HEIGHT = 34;      // of a state
const ROW = 62;         // from one row to the next
const HEADER = 44;      // above the states: the right text
const ENTRY = 46;       // before the first state: the arrow that leads in
const MOST_LABELLED = 40;      // with more edges only those of the run have labels; all have tooltips

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
}

/** All edges between two states, drawn as one. */
interface JoinedEdge {
  source: number;
  target: number;
  labels: string[];
  titles: string[];
  onRun: boolean;
}

/** Return the drawing; null if there is nothing to draw. */
export function drawAutomaton(automaton: Automaton): SVGSVGElement | null {
  const { states, columns } = automaton;
  if (states.length === 0) {
    return null;
  }
  const edges = joinEdges(automaton);
  const columnOf = states.map((state) => state.column);
  const { rows, passing } = placeInLayers(columnOf, edges.map((edge) => [edge.source, edge.target] as const));
  const headings = columns.map(({ terminal, text }) => (text === "" ? shortName(terminal) : visible(text, 12)));
  const widths = columns.map((_, column) => Math.max(
    46, (headings[column] ?? "").length * LETTER + 8,
    ...states.filter((state) => state.column === column).map((state) => label(state).length * LETTER + 18)));
  const gaps = columns.map((_, column) => Math.min(240, Math.max(
    54, ...edges.filter((edge) => columnOf[edge.source] === column)
      .flatMap((edge) => edge.labels.map((text) => text.length * SMALL + 46)))));
  const lefts = columns.map((_, column) => ENTRY + sum(widths.slice(0, column)) + sum(gaps.slice(0, column)));
  const width = (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0) + (columnOf.some((column, state) => (
    column === columns.length - 1 && edges.some((edge) => edge.source === state))) ? 140 : 20);
  const top = Math.min(...rows, ...passing.flat());
  const height = HEADER + (Math.max(...rows, ...passing.flat()) - top + 1) * ROW + 14;
  const middleOf = (row: number): number => HEADER + (row - top) * ROW + ROW / 2;
  const boxes: Box[] = states.map((state, index) => ({
    x: lefts[state.column] ?? 0, y: middleOf(rows[index] ?? 0) - HEIGHT / 2, width: widths[state.column] ?? 0,
  }));

  const svg = drawing("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Automaton of the text after the cursor, ${states.length} states`,
  });
  svg.append(drawing("defs", {}, arrowHead("arrow"), arrowHead("arrow-run")));
  columns.forEach((column, index) => {
    const middle = (lefts[index] ?? 0) + (widths[index] ?? 0) / 2;
    svg.append(drawing("text", { x: middle, y: 18, class: column.text === "" ? "place unwritten" : "place" }, headings[index] ?? "",
      drawing("title", {}, `next: ${plain(column.terminal)}`)));
    svg.append(drawing("line", { x1: middle, x2: middle, y1: 26, y2: height - 4, class: "rule" }));
  });
  const labels = new Labels(edges.length <= MOST_LABELLED);
  const steps = edges.map((edge, index) => {
    const [source, target] = [boxes[edge.source], boxes[edge.target]];
    const between = (passing[index] ?? []).map((row, step) => {
      const column = (columnOf[edge.source] ?? 0) + step + 1;
      return { x: lefts[column] ?? 0, y: middleOf(row) - HEIGHT / 2, width: widths[column] ?? 0 };
    });
    return source === undefined || target === undefined ? null : drawEdge(edge, source, between, target, labels);
  });
  svg.append(...steps.filter((step) => step !== null).reverse());     // those of the run lie on top
  states.forEach((state, index) => {
    const box = boxes[index];
    if (box !== undefined) {
      svg.append(drawState(state, box, automaton.run.some(([number]) => number === state.number)));
    }
  });
  svg.append(...labels.drawn);
  return svg;
}

/** Return the accepting run in words, a step an item; null without one. */
export function runInWords(automaton: Automaton): HTMLOListElement | null {
  if (automaton.run.length === 0) {
    return null;
  }
  const left = automaton.run_length - automaton.run.length;
  const steps = automaton.run.map(([state], index) => {
    const edge = automaton.run_edges[index];
    const name = element("b", {}, stateName(state));
    if (edge === undefined && left > 0) {
      return element("li", {}, `and ${left.toLocaleString("en")} more steps to the bottom of the stack: accepted`);
    }
    if (edge === undefined) {
      return element("li", {}, name, " is final, and what lies under it is the bottom of the stack: accepted");
    }
    const after = element("b", {}, stateName(edge.target));
    if (edge.taken.length === 0) {
      return element("li", {}, name, " leads to ", after, " and takes nothing");
    }
    const taken = edge.taken.flatMap((symbol) => [symbolName(symbol), " "]);
    return element("li", { title: edge.production }, name, " takes ", ...taken, "off the stack and leads to ", after);
  });
  return element("ol", { class: "run" }, ...steps);
}

/** Return one edge for each pair of states, with the labels of all; those of the run first. */
function joinEdges(automaton: Automaton): JoinedEdge[] {
  const found = new Map<string, JoinedEdge>();
  const nameOf = (edge: AutomatonEdge): string => `${edge.source} ${edge.target}`;
  const onRun = new Set(automaton.run_edges.map(nameOf));
  for (const edge of [...automaton.run_edges, ...automaton.edges]) {
    const { source, target, production, taken } = edge;
    const one = found.get(nameOf(edge)) ?? { source, target, labels: [], titles: [], onRun: onRun.has(nameOf(edge)) };
    found.set(nameOf(edge), one);
    const text = shortened(taken.map(shortName).join(" "), 28);
    if (text !== "" && !one.labels.includes(text)) {
      one.labels.push(text);
    }
    one.titles.push(production === "" ? "takes nothing" : `${production}\ntakes ${taken.map(plain).join(", ")}`);
  }
  return [...found.values()];
}

/** Return the name of a terminal as short as it can be understood. */
function shortName(name: string): string {
  const known: Record<string, string> = {
    "the end of the text": "end", "the end of the line": "line end", "the end of the block": "block end",
    "an indented block": "indent",
  };
  return known[name] ?? plain(name);
}

function label(state: AutomatonState): string {
  return `${stateName(state.number)} ${shortened(shortName(state.symbol), 18)}`;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The labels of edges, none of which covers another. */
class Labels {
  readonly drawn: SVGTextElement[] = [];
  private readonly covered: { left: number; right: number; y: number }[] = [];
  private readonly written = new Set<string>();

  constructor(private readonly all: boolean) {}

  /** Write the labels of an edge near a point, unless they stand there for another edge of the same state. */
  write(edge: JoinedEdge, near: Point): void {
    if (!this.all && !edge.onRun) {
      return;
    }
    const texts = edge.labels.length > 3 ? [...edge.labels.slice(0, 2), `and ${edge.labels.length - 2} more`] : edge.labels;
    for (const text of texts) {
      const name = `${edge.source} ${text}`;
      if (this.written.has(name)) {
        continue;
      }
      this.written.add(name);
      const half = text.length * SMALL / 2 + 3;
      const [left, right] = [near.x - half, near.x + half];
      const free = (y: number): boolean => !this.covered.some(
        (other) => other.left < right && left < other.right && Math.abs(other.y - y) < 14);
      const y = [0, 1, -1, 2, -2, 3, -3].map((step) => near.y - 6 + 15 * step).find(free) ?? near.y - 6;
      this.covered.push({ left, right, y });
      this.drawn.push(drawing("text", { x: near.x, y, class: "taken" }, text));
    }
  }
}

function drawState(state: AutomatonState, box: Box, onRun: boolean): SVGGElement {
  const kinds = ["state", ...(state.entry ? ["entry"] : []), ...(state.final ? ["final"] : []), ...(onRun ? ["on-run"] : [])];
  const group = drawing("g", { class: kinds.join(" "), "data-state": stateName(state.number) });
  const middle = box.y + HEIGHT / 2;
  if (state.entry) {
    const marker = onRun ? "url(#arrow-run)" : "url(#arrow)";
    group.append(drawing("path", { class: "edge", d: `M ${box.x - 30} ${middle} L ${box.x - 3} ${middle}`, "marker-end": marker }));
  }
  group.append(drawing("rect", { x: box.x, y: box.y, width: box.width, height: HEIGHT, rx: 9 }));
  if (state.final) {
    group.append(drawing("rect", {
      x: box.x + 3, y: box.y + 3, width: box.width - 6, height: HEIGHT - 6, rx: 7, class: "inner",
    }));
  }
  const [letter = "", ...rest] = label(state).split(" ");
  group.append(drawing("text", { x: box.x + box.width / 2, y: middle + 5 },
    drawing("tspan", { class: "letter" }, letter), drawing("tspan", { dx: 6 }, rest.join(" "))));
  group.append(drawing("title", {}, [
    `${stateName(state.number)}: the unknown stack begins here, with ${plain(state.symbol)} above it (LR state ${state.state})`,
    `next in the text: ${plain(state.terminal)}`,
    ...(state.final ? ["final: accepted if this is the bottom of the stack"] : []),
    ...(state.entry ? ["entry: the first terminal of the right text is shifted here"] : []),
  ].join("\n")));
  return group;
}

/** Return an edge drawn through the places that are kept free for it. */
function drawEdge(edge: JoinedEdge, source: Box, between: readonly Box[], target: Box, labels: Labels): SVGGElement {
  const rightOf = (box: Box): Point => ({ x: box.x + box.width, y: box.y + HEIGHT / 2 });
  const leftOf = (box: Box): Point => ({ x: box.x, y: box.y + HEIGHT / 2 });
  const start = rightOf(source);
  let path = `M ${start.x} ${start.y}`;
  if (target.x <= source.x) {
    // A step that stays at one place of the text: around the right side.
    const end = { x: target.x + target.width + 3, y: target.y + HEIGHT / 2 };
    const side = Math.max(start.x, end.x) + 40;
    path += ` C ${side} ${start.y} ${side} ${end.y} ${end.x} ${end.y}`;
    labels.write(edge, { x: side - 4, y: (start.y + end.y) / 2 });
  } else {
    let at = start;
    [...between, target].forEach((box, index) => {
      const next = leftOf(box);
      const end = box === target ? { x: next.x - 3, y: next.y } : next;
      const bend = (end.x - at.x) / 2;
      path += ` C ${at.x + bend} ${at.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`;
      if (index === 0) {
        labels.write(edge, { x: (at.x + end.x) / 2, y: (at.y + end.y) / 2 });
      }
      at = rightOf(box);
      if (box !== target) {
        path += ` L ${at.x} ${at.y}`;
      }
    });
  }
  const marker = edge.onRun ? "url(#arrow-run)" : "url(#arrow)";
  return drawing("g", { class: edge.onRun ? "step on-run" : "step" },
    drawing("path", { class: "edge", d: path, "marker-end": marker }), drawing("title", {}, [...new Set(edge.titles)].join("\n\n")));
}

function arrowHead(id: string): SVGMarkerElement {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse" };
  return drawing("marker", { id, ...size, orient: "auto" }, drawing("path", { d: "M 0 0 L 8 4 L 0 8 z" }));
}

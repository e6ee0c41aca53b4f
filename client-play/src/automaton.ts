// The drawing of a right text's automaton, and its run in words.
import type { Automaton, AutomatonEdge, AutomatonState } from "./answers";
import { drawing, element, plain, symbolName, visible } from "./elements";
import { placeInLayers, stateName } from "./layers";

const LETTER = 7.3;     // the width of a letter in labels
const HEIGHT = 34;      // of a state
const ROW = 62;         // from one row to the next
const MOST_LABELLED = 40;      // with more edges only those of the run have labels; all have tooltips
const HEADER = 44;      // above the states: the right text

/** Return the drawing; empty if there is nothing to draw. */
export function drawAutomaton(automaton: Automaton): SVGSVGElement | null {
  if (automaton.states.length === 0) {
    return null;
  }
  const edges = joined(automaton.edges);
  const placed = placeInLayers(
    automaton.states.map((state) => state.column), edges.map((edge) => [edge.source, edge.target] as const));
  const headings = automaton.columns.map(({ terminal, text }) => (
    text !== "" ? visible(text, 12) : terminal === "the end of the text" ? "end" : plain(terminal)));
  const widths = automaton.columns.map((_, column) => Math.max(
    46, (headings[column] ?? "").length * LETTER + 8, ...automaton.states.filter((state) => state.column === column).map((state) => label(state).length * LETTER + 18)));
  const gaps = automaton.columns.map((_, column) => Math.min(220, Math.max(
    48, ...edges.filter((edge) => automaton.states[edge.source]?.column === column && edge.labels.length > 0)
      .map((edge) => Math.max(...edge.labels.map((text) => text.length)) * LETTER * 0.9 + 46))));
  const lefts: number[] = [];
  let width = 46;
  automaton.columns.forEach((_, column) => {
    lefts.push(width);
    width += (widths[column] ?? 0) + (gaps[column] ?? 0);
  });
  width += 20 - (gaps.at(-1) ?? 0);
  const top = Math.min(...placed.map((place) => place.row));
  const bottom = Math.max(...placed.map((place) => place.row));
  const height = HEADER + (bottom - top + 1) * ROW + 14;
  const boxes = placed.map(({ column, row }) => ({
    x: lefts[column] ?? 0, y: HEADER + (row - top) * ROW + (ROW - HEIGHT) / 2, width: widths[column] ?? 0,
  }));
  const onRun = new Set(automaton.run.map(([state]) => state));
  const runSteps = new Set(automaton.run_edges.map((edge) => `${edge.source} ${edge.target}`));

  const svg = drawing("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Automaton of the text after the cursor, ${automaton.states.length} states`,
  });
  svg.append(drawing("defs", {}, arrowHead("arrow"), arrowHead("arrow-run")));
  automaton.columns.forEach((column, index) => {
    const middle = (lefts[index] ?? 0) + (widths[index] ?? 0) / 2;
    svg.append(drawing("text", { x: middle, y: 18, class: column.text === "" ? "place unwritten" : "place" }, headings[index] ?? "",
      drawing("title", {}, `next: ${column.terminal}`)));
    svg.append(drawing("line", { x1: middle, x2: middle, y1: 26, y2: height - 4, class: "rule" }));
  });
  const labelled = edges.length <= MOST_LABELLED;
  const isRun = (edge: JoinedEdge): boolean => runSteps.has(`${edge.source} ${edge.target}`);
  for (const edge of [...edges.filter((each) => !isRun(each)), ...edges.filter(isRun)]) {     // the run lies on top
    const source = boxes[edge.source];
    const target = boxes[edge.target];
    if (source !== undefined && target !== undefined) {
      const gap = gaps[automaton.states[edge.source]?.column ?? 0] ?? 0;
      svg.append(drawEdge(edge, source, target, isRun(edge), labelled || isRun(edge), gap));
    }
  }
  automaton.states.forEach((state, index) => {
    const box = boxes[index];
    if (box !== undefined) {
      svg.append(drawState(state, box, onRun.has(state.number)));
    }
  });
  return svg;
}

/** Return the accepting run in words, a step an item; null without one. */
export function runInWords(automaton: Automaton): HTMLOListElement | null {
  if (automaton.run.length === 0) {
    return null;
  }
  const steps = automaton.run.map(([state], index) => {
    const edge = automaton.run_edges[index];
    const name = element("b", {}, stateName(state));
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

interface JoinedEdge {
  source: number;
  target: number;
  labels: string[];
  titles: string[];
}

/** Return one edge for each pair of states, with the labels of all. */
function joined(edges: readonly AutomatonEdge[]): JoinedEdge[] {
  const found = new Map<string, JoinedEdge>();
  for (const edge of edges) {
    const key = `${edge.source} ${edge.target}`;
    const one = found.get(key) ?? { source: edge.source, target: edge.target, labels: [], titles: [] };
    found.set(key, one);
    const text = edge.taken.map(plain).join(" ");
    if (text !== "" && !one.labels.includes(text)) {
      one.labels.push(text.length > 28 ? `${text.slice(0, 27)}…` : text);
    }
    one.titles.push(
      edge.production === "" ? "leads on and takes nothing" : `${edge.production}\ntakes ${edge.taken.map(plain).join(", ")}`);
  }
  return [...found.values()];
}

interface Box {
  x: number;
  y: number;
  width: number;
}

function label(state: AutomatonState): string {
  const symbol = state.symbol === "the end of the text" ? "end" : plain(state.symbol);
  return `${stateName(state.number)} ${symbol.length > 18 ? `${symbol.slice(0, 17)}…` : symbol}`;
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

function drawEdge(edge: JoinedEdge, source: Box, target: Box, onRun: boolean, labelled: boolean, gap: number): SVGGElement {
  const start = { x: source.x + source.width, y: source.y + HEIGHT / 2 };
  const end = { x: target.x - 3, y: target.y + HEIGHT / 2 };
  let path: string;
  let middle: { x: number; y: number };
  if (end.x > start.x) {
    const bend = Math.max(24, (end.x - start.x) / 2);
    path = `M ${start.x} ${start.y} C ${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`;
    // A label stands beside its source: further on, another state may stand in the way.
    const at = Math.min(0.5, gap / 2 / (end.x - start.x));
    const cubic = (from: number, one: number, two: number, to: number): number => (
      (1 - at) ** 3 * from + 3 * (1 - at) ** 2 * at * one + 3 * (1 - at) * at ** 2 * two + at ** 3 * to);
    middle = { x: cubic(start.x, start.x + bend, end.x - bend, end.x), y: cubic(start.y, start.y, end.y, end.y) };
  } else {
    // A step that stays at one place of the text: around the right side.
    const side = Math.max(start.x, target.x + target.width);
    path = `M ${start.x} ${start.y} C ${side + 40} ${start.y} ${side + 40} ${end.y} ${target.x + target.width + 3} ${end.y}`;
    middle = { x: side + 34, y: (start.y + end.y) / 2 };
  }
  const marker = onRun ? "url(#arrow-run)" : "url(#arrow)";
  const group = drawing("g", { class: onRun ? "step on-run" : "step" }, drawing("path", { class: "edge", d: path, "marker-end": marker }));
  const lines = !labelled ? [] : edge.labels.length > 3 ? [...edge.labels.slice(0, 2), `and ${edge.labels.length - 2} more`] : edge.labels;
  lines.forEach((text, index) => {
    group.append(drawing("text", { x: middle.x, y: middle.y - 6 - 14 * (lines.length - 1 - index), class: "taken" }, text));
  });
  group.append(drawing("title", {}, [...new Set(edge.titles)].join("\n\n")));
  return group;
}

function arrowHead(id: string): SVGMarkerElement {
  return drawing("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    drawing("path", { d: "M 0 0 L 8 4 L 0 8 z" }));
}

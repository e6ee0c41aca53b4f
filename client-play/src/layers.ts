// The places of an automaton's states in its drawing.
//
// The right text runs from left to right, and a state stands in the column of the place in the text where the parser
// comes to it. So nearly all edges lead to the right. In a column the states are put in the order of the mean place of
// their neighbours, which leaves few crossings. An edge over several columns keeps a place free in each column between,
// so that it passes no state. (Both are Sugiyama's method.)

export type Edge = readonly [source: number, target: number];

export interface Layers {
  /** State → its row; rows count from the middle, and a column of two has the rows -0.5 and 0.5. */
  rows: number[];
  /** Edge → the rows at which it passes the columns between its ends. */
  passing: number[][];
}

const SWEEPS = 8;
const MOST_PASSING = 60;     // with more places kept free the drawing would be higher than it is clear

/** Return the rows of states whose columns are given, with edges by the numbers of the states. */
export function placeInLayers(columns: readonly number[], edges: readonly Edge[]): Layers {
  const columnOf = [...columns];
  const layers: number[][] = Array.from({ length: Math.max(0, ...columns.map((column) => column + 1)) }, () => []);
  columns.forEach((column, state) => layers[column]?.push(state));
  const spans = edges.map(([source, target]) => Math.max(0, (columns[target] ?? 0) - (columns[source] ?? 0) - 1));
  const routed = spans.reduce((sum, span) => sum + span, 0) <= MOST_PASSING;
  const neighbours: number[][] = columns.map(() => []);
  const join = (one: number, other: number): void => {
    if (columnOf[one] !== columnOf[other]) {
      neighbours[one]?.push(other);
      neighbours[other]?.push(one);
    }
  };
  const places = edges.map(([source, target], index) => {
    const between: number[] = [];
    for (let step = 1; routed && step <= (spans[index] ?? 0); step += 1) {
      const column = (columns[source] ?? 0) + step;
      between.push(columnOf.length);
      layers[column]?.push(columnOf.length);
      columnOf.push(column);
      neighbours.push([]);
    }
    [source, ...between].forEach((place, at) => join(place, between[at] ?? target));
    return between;
  });

  const rows = columnOf.map(() => 0);
  const settle = (layer: readonly number[]): void => layer.forEach((place, row) => {
    rows[place] = row - (layer.length - 1) / 2;
  });
  layers.forEach(settle);
  const mean = (place: number): number => {
    const near = neighbours[place] ?? [];
    return near.length === 0 ? rows[place] ?? 0 : near.reduce((sum, other) => sum + (rows[other] ?? 0), 0) / near.length;
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const means = new Map(layer.map((place) => [place, mean(place)]));
      layer.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0) || one - other);
      settle(layer);
    }
  }
  return {
    rows: columns.map((_, state) => rows[state] ?? 0),
    passing: places.map((between) => between.map((place) => rows[place] ?? 0)),
  };
}

/** Return the name of a state by its number: A to Z, then A1 to Z1 and so on. */
export function stateName(number: number): string {
  const round = Math.floor(number / 26);
  return String.fromCharCode(65 + (number % 26)) + (round === 0 ? "" : String(round));
}

// The places of an automaton's states in its drawing.
//
// The right text runs from left to right, and a state stands in the column of the place in the text where the parser
// comes to it. So nearly all edges lead to the right. In a column the states are put in the order of the mean place of
// their neighbours (Sugiyama's method), which leaves few crossings.

export interface Placed {
  column: number;
  row: number;
}

/** Return each state's column and row. `columns`: the column of each state; `edges`: (source, target) by number. */
export function placeInLayers(columns: readonly number[], edges: readonly (readonly [number, number])[]): Placed[] {
  const layers: number[][] = Array.from({ length: Math.max(0, ...columns.map((column) => column + 1)) }, () => []);
  columns.forEach((column, state) => layers[column]?.push(state));
  const neighbours: number[][] = columns.map(() => []);
  for (const [source, target] of edges) {
    if (columns[source] !== columns[target]) {
      neighbours[source]?.push(target);
      neighbours[target]?.push(source);
    }
  }
  const rows = columns.map(() => 0);
  const settle = (layer: readonly number[]): void => layer.forEach((state, row) => {
    rows[state] = row - (layer.length - 1) / 2;   // rows count from the middle, so that columns are centred
  });
  layers.forEach(settle);
  const mean = (state: number): number => {
    const near = neighbours[state] ?? [];
    return near.length === 0 ? rows[state] ?? 0 : near.reduce((sum, other) => sum + (rows[other] ?? 0), 0) / near.length;
  };
  for (let sweep = 0; sweep < 6; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const means = new Map(layer.map((state) => [state, mean(state)]));
      layer.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0) || one - other);
      settle(layer);
    }
  }
  return columns.map((column, state) => ({ column, row: rows[state] ?? 0 }));
}

/** Return the name of a state by its number: A to Z, then A1 to Z1 and so on. */
export function stateName(number: number): string {
  const round = Math.floor(number / 26);
  return String.fromCharCode(65 + (number % 26)) + (round === 0 ? "" : String(round));
}

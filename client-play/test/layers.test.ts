// The places of states in the drawing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeInLayers, stateName } from "../src/layers";

test("a chain stands in one row", () => {
  assert.deepEqual(placeInLayers([0, 1, 2], [[0, 1], [1, 2]]), { rows: [0, 0, 0], passing: [[], []] });
});

test("neighbours stand opposite one another, so that two edges do not cross", () => {
  const { rows } = placeInLayers([0, 0, 1, 1], [[0, 3], [1, 2]]);

  assert.equal(rows[0], rows[3]);
  assert.equal(rows[1], rows[2]);
  assert.notEqual(rows[0], rows[1]);
});

test("an edge over several columns passes beside the states between", () => {
  const { rows, passing } = placeInLayers([0, 1, 2, 3], [[0, 1], [1, 2], [2, 3], [0, 3]]);

  assert.deepEqual(passing.slice(0, 3), [[], [], []]);
  assert.equal(passing[3]?.length, 2);
  assert.notEqual(passing[3][0], rows[1]);
  assert.notEqual(passing[3][1], rows[2]);
});

test("no two states of a column have one row, whatever the edges", () => {
  const columns = [0, 1, 1, 1, 0, 2, 2, 1, 9];
  const edges = columns.flatMap((_, source) => columns.map((__, target) => [source, target] as const));

  const { rows } = placeInLayers(columns, edges);

  assert.equal(new Set(columns.map((column, state) => `${column} ${rows[state]}`)).size, columns.length);
});

test("nothing has no places", () => {
  assert.deepEqual(placeInLayers([], []), { rows: [], passing: [] });
});

test("states have letters, then letters with numbers", () => {
  assert.deepEqual([0, 25, 26, 53].map(stateName), ["A", "Z", "A1", "B2"]);
});

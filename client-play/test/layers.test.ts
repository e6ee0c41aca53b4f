// The places of states in the drawing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeInLayers, stateName } from "../src/layers";

test("a chain stands in one row", () => {
  assert.deepEqual(placeInLayers([0, 1, 2], [[0, 1], [1, 2]]), [
    { column: 0, row: 0 }, { column: 1, row: 0 }, { column: 2, row: 0 },
  ]);
});

test("neighbours stand opposite one another, so that two edges do not cross", () => {
  const placed = placeInLayers([0, 0, 1, 1], [[0, 3], [1, 2]]);

  assert.equal(placed[0]?.row, placed[3]?.row);
  assert.equal(placed[1]?.row, placed[2]?.row);
  assert.notEqual(placed[0]?.row, placed[1]?.row);
});

test("no two states of a column have one row, whatever the edges", () => {
  const columns = [0, 1, 1, 1, 0, 2, 2, 1];
  const edges = columns.flatMap((_, source) => columns.map((__, target) => [source, target] as const));

  const places = placeInLayers(columns, edges).map(({ column, row }) => `${column} ${row}`);

  assert.equal(new Set(places).size, columns.length);
});

test("nothing has no places", () => {
  assert.deepEqual(placeInLayers([], []), []);
});

test("states have letters, then letters with numbers", () => {
  assert.deepEqual([0, 25, 26, 53].map(stateName), ["A", "Z", "A1", "B2"]);
});

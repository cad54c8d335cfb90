import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestSize, sizeProblem } from "./terminal-size.ts";

test("a size is bounded: the nearest one is taken from a client, and another one is refused in words", () => {
  assert.equal(sizeProblem({ rows: 24, columns: 80 }), null);
  for (const [rows, columns] of [
    [0, 0],
    [1, 80],
    [24, 9],
    [501, 80],
    [24, 1e9],
    [-1, -1],
    [2.5, 80],
    [Number.NaN, 80],
  ] as const) {
    assert.match(String(sizeProblem({ rows, columns })), /2 to 500 rows and 10 to 500 columns/);
  }
  assert.deepEqual(nearestSize({ rows: 1, columns: 4_000 }), { rows: 2, columns: 500 });
  assert.equal(sizeProblem(nearestSize({ rows: -3, columns: 7.2 })), null);
});

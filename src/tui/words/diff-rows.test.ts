import assert from "node:assert/strict";
import { test } from "node:test";
import { unstyled } from "../screen/theme.ts";
import { type DiffLine, diffRows } from "./diff-rows.ts";

test("a diff says how many lines are not shown, with those that never came", () => {
  const lines = Array.from({ length: 400 }, (_, at): DiffLine => ({ mark: "+", text: `line ${at}` }));
  const last = (given: { most: number; missing?: number }): string =>
    diffRows(lines, { columns: 80, theme: unstyled, ...given }).at(-1) ?? "";
  assert.equal(last({ most: 12, missing: 5600 }), "│ … 5988 more lines");
  assert.equal(last({ most: 400, missing: 1 }), "│ … 1 more line");
  assert.equal(last({ most: 400 }), "│ + line 399");
});

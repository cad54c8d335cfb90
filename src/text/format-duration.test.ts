import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration } from "./format-duration.ts";

test("a time is in the largest unit that keeps it readable, and is never negative", () => {
  const shown = [
    -300 * 86_400_000,
    -1,
    0,
    44_100,
    300_000,
    10_800_000,
    172_800_000,
    172_800_001,
    86_400_000 * 730,
  ].map(formatDuration);
  assert.deepEqual(shown, ["0 s", "0 s", "0 s", "45 s", "5 min", "3 h", "48 h", "3 days", "730 days"]);
});

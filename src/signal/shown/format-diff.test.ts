import assert from "node:assert/strict";
import { test } from "node:test";
import { diffFile } from "../file-diff.ts";
import { formatDiffs } from "./format-diff.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a diff shows its file below the workspace, how much changes, and its lines behind a margin", () => {
  const diff = diffFile("/w/plan.txt", bytes("a\nFriday\u202e\n"), bytes("a\nSaturday\n"));
  assert.deepEqual(formatDiffs([diff], "/w"), [
    "  plan.txt (+1 −1)",
    "    │   a",
    "    │ - Friday\\u{202e}",
    "    │ + Saturday",
  ]);
});

test("of long diffs the first rows are shown, and how many more there are", () => {
  const long = diffFile("/w/a", null, bytes("x\n".repeat(30)));
  const shown = formatDiffs([long, diffFile("/w/b", bytes("y\n"), null)], "/w", 10);
  assert.deepEqual(
    [shown[0], shown[11], shown[12], shown[13]],
    ["  new file a (+30 −0)", "    (20 lines more)", "  deleted b (+0 −1)", "    (1 lines more)"],
  );
});

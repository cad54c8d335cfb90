import assert from "node:assert/strict";
import { test } from "node:test";
import { diffFile } from "../signal/file-diff.ts";
import { formatDiffs, quoteDiff } from "./format-diff.ts";

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
    ["  new a (+30 −0)", "    (20 lines more)", "  deleted b (+0 −1)", "    (1 lines more)"],
  );
});

test("an emoji that is joined of several stays one in a diff, and what joins nothing there is shown", () => {
  const diff = "@@ -1 +1 @@\n-a\u200db\n+👩\u200d💻 ❤\ufe0f\u200d🔥 👩\u200d";
  assert.deepEqual(quoteDiff({ diff, left: 0 }), [
    "    │ - a\\u{200d}b",
    "    │ + 👩\u200d💻 ❤\ufe0f\u200d🔥 👩\\u{200d}",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffFile } from "./file-diff.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Applies a unified diff, as `patch` does. */
function apply(old: readonly string[], diff: string): readonly string[] {
  const out: string[] = [];
  let at = 0;
  for (const row of diff.split("\n")) {
    const range = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (range !== null) {
      const start = Number(range[1]) - (range[2] === "0" ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
    } else if (row.startsWith("+")) out.push(row.slice(1));
    else if (row.startsWith("-")) at += 1;
    else if (row.startsWith(" ")) {
      out.push(old[at] ?? "");
      at += 1;
    }
  }
  return [...out, ...old.slice(at)];
}

test("a diff names its lines, with three lines around each change", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  const found = diffFile("/f", bytes(before), bytes(before.replace("e\n", "E\nE2\n")));
  assert.deepEqual(
    [found.change, found.added, found.removed, found.left, found.diff],
    ["replace", 2, 1, 0, "@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h"],
  );
});

test("a new file, a deleted file and a missing line end are said", () => {
  assert.equal(diffFile("/f", null, bytes("x")).diff, "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file");
  const gone = diffFile("/f", bytes("x\ny\n"), null);
  assert.deepEqual([gone.change, gone.removed, gone.diff], ["delete", 2, "@@ -1,2 +0,0 @@\n-x\n-y"]);
});

test("what is no text has no diff, and a long diff says how much is left out", () => {
  assert.equal(diffFile("/f", bytes("x"), Uint8Array.of(0, 1)).diff, "");
  assert.equal(diffFile("/f", null, Uint8Array.of(0xff, 0xfe)).diff, "");
  const long = diffFile("/f", null, bytes("row\n".repeat(1000)));
  assert.deepEqual([long.added, long.diff.split("\n").length + long.left], [1000, 1001]);
  assert.equal(diffFile("/f", null, bytes(`${"x".repeat(100_000)}\n`)).left, 1);
});

test("a diff applied to the old text gives the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (old, now) => {
      const fileOf = (lines: readonly string[]) => bytes(lines.map((line) => `${line}\n`).join(""));
      assert.deepEqual(apply(old, diffFile("/f", fileOf(old), fileOf(now)).diff), now);
    }),
  );
});

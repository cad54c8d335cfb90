import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rescan } from "./rescan.ts";
import { scanOutline } from "./scan-outline.ts";

const line = fc.constantFrom(
  "* ",
  "** ",
  "*** TODO a :t:",
  "* DONE [#A] b",
  "* NEXT c :x:y:",
  "* COMMENT d",
  "**",
  "*e",
  "SCHEDULED: <2024-01-15 Mon>",
  "DEADLINE: <2024-01-15 Mon +1w> CLOSED: [2024-01-15]",
  ":PROPERTIES:",
  ":ID: x",
  ":foo+: y",
  ":END:",
  ":LOGBOOK:",
  "# comment",
  "",
  "text",
  "\t",
  "CLOCK: [2024-01-15 Mon 10:00]--[2024-01-15 Mon 11:00] =>  1:00",
  "CLOCK: [2024-01-15 Mon 10:00]",
  "#+TODO: TODO NEXT | DONE",
  "#+begin_src org",
  "#+end_src",
  "#+FILETAGS: :f:",
  "***************  i",
);
const orgText = fc
  .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom("\n", "\n", ""))
  .map(([lines, last]) => lines.join("\n") + last);
const piece = fc.oneof(
  orgText,
  fc.constantFrom("", "\n", "*", " ", "* ", "\n* ", ":", "x", "TODO ", "#+TODO: A | B\n", "]", "\r", "😀"),
);

test("an outline after an edit is that of a new scan", () => {
  fc.assert(
    fc.property(
      orgText,
      fc.nat(400),
      fc.nat(40),
      piece,
      fc.boolean(),
      (text, at, length, insert, inlineTasks) => {
        const begin = Math.min(at, text.length);
        const end = Math.min(begin + length, text.length);
        const after = text.slice(0, begin) + insert + text.slice(end);
        const edited = rescan(scanOutline(text, { inlineTasks }), { begin, end, insert }, { inlineTasks });
        assert.deepEqual(edited, scanOutline(after, { inlineTasks }));
      },
    ),
    { numRuns: Number(process.env["ORG_FUZZ"] ?? 2000) },
  );
});

test("headlines before an edit that leaves their subtrees alone are the same objects", () => {
  const before = scanOutline("* a\n* b\ntext\nmore\n* c\n");
  const after = rescan(before, { begin: 13, end: 17, insert: "other text" });
  assert.equal(after.headlines[0], before.headlines[0]);
  assert.equal(after.settings, before.settings);
  assert.deepEqual(after.headlines[2]?.begin, 24);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOutlineNotes } from "../../../../test/org/outline-notes.ts";
import { decodeOrgText } from "../text/org-text.ts";
import { checkOrg } from "./check.ts";

const world = {
  hasFile: (_: string, target: string) => target === "there.org",
  hasId: (_: string, id: string) => id === "elsewhere",
};

function check(...texts: readonly string[]): readonly string[] {
  const files = texts.map((text, index) => ({
    path: `${index}.org`,
    source: decodeOrgText(Buffer.from(text)),
  }));
  return checkOrg(files, world).map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`);
}

test("notes in order have no problem", () => {
  const text = `#+TITLE: All
#+TODO: TODO NEXT | DONE
#+FILETAGS: :a:é:
* NEXT [#A] Read [[id:one]] :x_1:@b:
SCHEDULED: <2024-01-15 Mon 10:00-11:00 +1w -2d> DEADLINE: <2024-01-16 Di. .+1d/3d>
:PROPERTIES:
:ID: one
:CUSTOM_ID: c
:Effort: 1:30
:END:
:LOGBOOK:
CLOCK: [2024-01-15 Mon 10:00]--[2024-01-15 Mon 11:30] =>  1:30
CLOCK: [2024-01-15 Mon 10:00]
:END:
Text [[#c]] [[*Read a b]] [[elsewhere]] <<elsewhere>> [[id:elsewhere]] [[file:there.org::*x]] [[https://gone.example]] [[/ssh:x:/y]].
With =<2024-1-1>= and a note[fn:1], [2024-01-15 Mon]--[2024-01-17 Wed].
#+begin_src org
  :PROPERTIES:
  * [[id:none]] <2024-99-99>
  SCHEDULED: <2024-01-15>
#+end_src
: <2024-99-99> [[id:none]]
[fn:1] The note.
* Read a  b [1/2]
`;
  // Two repeaters that differ are a problem of their own.
  assert.deepEqual(check(text), ["0.org:5:1 mismatched-repeaters"]);
});

const cases: readonly [code: string, line: number, column: number, text: string][] = [
  ["duplicate-id", 7, 6, "* a\n:PROPERTIES:\n:ID: x\n:END:\n* b\n:PROPERTIES:\n:ID: x\n:END:\n"],
  [
    "duplicate-custom-id",
    7,
    13,
    "* a\n:PROPERTIES:\n:CUSTOM_ID: x\n:END:\n* b\n:PROPERTIES:\n:CUSTOM_ID: x\n:END:\n",
  ],
  ["invalid-id", 3, 6, "* a\n:PROPERTIES:\n:ID: x::y\n:END:\n"],
  ["special-property", 3, 2, "* a\n:PROPERTIES:\n:TODO: x\n:END:\n"],
  ["invalid-effort", 3, 10, "* a\n:PROPERTIES:\n:EFFORT: soon\n:END:\n"],
  ["misplaced-property-drawer", 3, 1, "* a\ntext\n:PROPERTIES:\n:ID: x\n:END:\n"],
  ["broken-property-drawer", 4, 1, "* a\n:PROPERTIES:\n:ID: x\nbroken\n:END:\n"],
  ["unclosed-drawer", 2, 1, "* a\n:PROPERTIES:\n:ID: x\n* b\n"],
  ["unclosed-drawer", 2, 1, "* a\n:LOGBOOK:\ntext\n"],
  ["stray-drawer-end", 2, 1, "* a\n:END:\n"],
  ["unclosed-block", 1, 1, "#+begin_src sh\n* a\n"],
  ["unclosed-block", 2, 1, "#+begin_quote\n#+begin_center\n#+end_quote\n"],
  ["stray-block-end", 1, 3, "  #+end_src\n"],
  ["malformed-timestamp", 1, 3, "é <2024-1-15 Mon>\n"],
  ["malformed-timestamp", 1, 3, "😀 <2024-02-30 Fri>\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Tue>\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Mon +1x>\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Mon 25:00>\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Mon\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Mon]\n"],
  ["malformed-timestamp", 1, 1, "<2024-01-15 Mon>--<2024-01-14 Sun>\n"],
  ["planning-without-time", 2, 1, "* a\nSCHEDULED: soon\n"],
  ["planning-in-lower-case", 2, 1, "* a\nscheduled: <2024-01-15 Mon>\n"],
  ["misplaced-planning", 3, 1, "* a\ntext\nSCHEDULED: <2024-01-15 Mon>\n"],
  ["inactive-planning", 2, 12, "* a\nSCHEDULED: [2024-01-15 Mon]\n"],
  ["active-closed", 2, 9, "* a\nCLOSED: <2024-01-15 Mon>\n"],
  ["malformed-clock", 2, 1, "* a\nCLOCK: [2024-01-15 Mon 10:00]--\n"],
  ["clock-sum", 2, 1, "* a\nCLOCK: [2024-01-15 Mon 10:00]--[2024-01-15 Mon 11:00] =>  2:00\n"],
  ["invalid-tag", 1, 5, "* a :b-c:\n"],
  ["invalid-tag", 1, 1, "#+filetags: :b-c:\n"],
  ["spurious-colons", 1, 5, "* a :b::c:\n"],
  ["priority-out-of-bounds", 1, 3, "* [#D] a\n"],
  ["invalid-priority", 1, 3, "* [#99] a\n"],
  ["unknown-todo-word", 1, 3, "* NEXT a\n"],
  ["broken-id-link", 1, 1, "[[id:none]]\n"],
  ["broken-custom-id-link", 1, 1, "[[#none]]\n"],
  ["broken-headline-link", 1, 1, "[[*none]]\n"],
  ["broken-fuzzy-link", 1, 1, "[[none]]\n"],
  ["broken-file-link", 1, 1, "[[./none.org]]\n"],
  ["broken-coderef-link", 1, 1, "[[(none)]]\n"],
  ["duplicate-name", 3, 1, "#+name: a\n| b |\n#+name: a\n| c |\n"],
  ["duplicate-target", 1, 7, "<<a>> <<a>>\n"],
  ["undefined-footnote", 1, 2, "a[fn:1]\n"],
  ["unused-footnote", 1, 1, "[fn:1] a\n"],
  ["block-without-language", 1, 1, "#+begin_src\n#+end_src\n"],
  ["block-without-backend", 1, 1, "#+begin_export\n#+end_export\n"],
  ["keyword-without-colon", 1, 1, "#+TITLE none\n"],
];

for (const [code, line, column, text] of cases) {
  test(`${code} is found where it is: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.deepEqual(check(text), [`0.org:${line}:${column} ${code}`]);
  });
}

test("a byte that is not UTF-8 is a problem", () => {
  const source = decodeOrgText(Buffer.from([0x61, 0x0a, 0x62, 0xe9]));
  const [problem] = checkOrg([{ path: "a.org", source }], world);
  assert.deepEqual([problem?.code, problem?.line, problem?.column], ["not-utf-8", 2, 2]);
});

test("a zero byte is a problem, since such a file is not read as notes", () => {
  assert.deepEqual(check("* a\nb\0c\n"), ["0.org:2:2 zero-byte"]);
});

test("IDs are told apart, and found, over all files that are checked", () => {
  const note = "* a\n:PROPERTIES:\n:ID: x\n:END:\n";
  assert.deepEqual(check(note, note), ["1.org:3:6 duplicate-id"]);
  assert.deepEqual(check("[[id:x]]\n", note), []);
});

test("a message shows no control characters", () => {
  const problems = checkOrg(
    [{ path: "a.org", source: decodeOrgText(Buffer.from("[[a\u001b[31m]] [[b\u009b]]")) }],
    world,
  );
  for (const { message } of problems) assert.doesNotMatch(message, /\p{Cc}/u);
  assert.ok(problems.length > 0);
});

test("any text can be checked, and a problem is in its text", () => {
  for (let seed = 0; seed < Number(process.env["ORG_FUZZ"] ?? 500); seed += 1) {
    const text = makeOutlineNotes(seed, 5);
    const lines = text.split("\n");
    const found = checkOrg([{ path: "a.org", source: decodeOrgText(Buffer.from(text)) }], world);
    for (const { line, column } of found) assert.ok(column <= [...(lines[line - 1] ?? "")].length + 1);
  }
});

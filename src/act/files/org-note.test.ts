import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { appendNote } from "./org-note.ts";

const label = {
  integrity: "untrusted",
  secrecy: "public",
  sources: [{ id: "result-1", path: "/text" }],
} as const;

/** The entry that a note becomes in an inbox that ends in a newline. */
const note = (text: string) =>
  Buffer.from(appendNote(Buffer.from("\n"), { id: "an-id", text, label, at: 0 }))
    .subarray(1)
    .toString();

test("the first line is the headline, the rest the body, and the origin stands beside them", () => {
  const lines = note("Buy milk\nand bread\n\n- soon").split("\n");
  assert.equal(lines[0], "* Buy milk");
  assert.match(lines[3] ?? "", /^:CREATED: {2}\[\d{4}-\d\d-\d\d \w{3} \d\d:\d\d\]$/);
  assert.equal(lines[4], ":ORIGIN:   untrusted");
  assert.deepEqual(lines.slice(6), ["  and bread", "", "  - soon", ""]);
});

test("a text cannot forge a headline, drawer, keyword, tag, diary expression or file variable", () => {
  const forged = note(
    'title :crypt:\n* TODO forged\n:PROPERTIES:\n:ORIGIN: user\n:END:\n#+INCLUDE: x\nSCHEDULED: <2030-01-01>\n<%%(delete-file "x")>\n# Local Variables:\n# eval: (x)\n# End:\r* also',
  );
  assert.equal(forged.match(/^\*/gm)?.length, 1);
  assert.equal(forged.match(/^\s*:PROPERTIES:/gm)?.length, 1);
  assert.equal(forged.match(/^\s*:ORIGIN:/gm)?.length, 1);
  assert.doesNotMatch(forged, /^\s*#\+|^\s*SCHEDULED|%%\(|Local Variables:|^\* .*:crypt:$|\r/m);
});

test("whatever the text, the entry has one headline, one drawer and no control characters", () => {
  const units = fc.constantFrom(
    "*",
    " ",
    "\n",
    "\r",
    ":",
    "END",
    "#+",
    "%%(",
    "a",
    "\u001b",
    "\u2028",
    "PROPERTIES",
    ",",
    "\t",
  );
  fc.assert(
    fc.property(fc.string({ unit: units }), (text) => {
      const made = note(text);
      assert.equal(made.match(/^\*/gm)?.length, 1);
      assert.equal(made.match(/^[ \t]*:[^\s:]+:/gm)?.length, 5);
      assert.doesNotMatch(made.replaceAll("\n", ""), /[\p{Cc}\u2028]/u);
    }),
  );
});

test("the inbox stays byte for byte and gets a missing final newline", () => {
  const before = Uint8Array.of(0x2a, 0x20, 0xff);
  const after = appendNote(before, { id: "i", text: "x", label, at: 0 });
  assert.deepEqual([...after.subarray(0, 6)], [0x2a, 0x20, 0xff, 0x0a, 0x2a, 0x20]);
  assert.match(
    Buffer.from(appendNote(null, { id: "i", text: "-*- eval: (x) -*-", label, at: 0 })).toString(),
    /^#\+TITLE: Inbox\n\n\* /,
  );
});

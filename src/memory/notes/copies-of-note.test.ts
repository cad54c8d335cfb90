import assert from "node:assert/strict";
import { test } from "node:test";
import { isCopyOf, readCopy, type SoughtNote } from "./copies-of-note.ts";

const rose: SoughtNote = {
  ...{ id: "rose", file: "/n/a.org", whole: false },
  ...{ own: ["Rose", "rose"], names: ["Rose", "rose", "Thorns"] },
  text: "* Rose\nonce crimson\n** Thorns\n",
};
const file: SoughtNote = { ...rose, id: "a.org", whole: true, own: rose.names };
const its = (content: SoughtNote["text"] | Parameters<typeof isCopyOf>[1]["content"]): boolean =>
  isCopyOf(rose, { content, isItsFile: true });

test("a version of a file is a copy of the notes that stand in it, and of no other", () => {
  assert.ok(its("* Rose\nwhite\n"));
  assert.ok(its({ path: "a.org", content: "* Other\n* TODO Rose :x:\n" }));
  assert.ok(!its("* Other\nabout the Rose\n** Thorns\n"));
  assert.ok(isCopyOf(file, { content: "** Thorns\n", isItsFile: true }));
  assert.ok(!isCopyOf(file, { content: "* Lily\n", isItsFile: true }), "another file of the same name");
});

test("an edit is a copy of the notes that it touches or quotes, below them too", () => {
  assert.ok(
    its({
      operations: [
        { op: "todo", at: "x" },
        { op: "title", at: "Thorns", value: "y" },
      ],
    }),
  );
  assert.ok(its({ operations: [{ op: "refile", at: "x", to: "Rose" }] }));
  assert.ok(!its({ operations: [{ op: "todo", at: "Lily" }] }));
  assert.ok(its({ path: "a.org", old: "crimson", new: "white" }));
  assert.ok(!its({ path: "a.org", old: "yellow", new: "white" }));
  assert.ok(isCopyOf(file, { content: { path: "a.org", old: "yellow", new: "x" }, isItsFile: true }));
});

test("in another file an ID tells, and a title does not", () => {
  const elsewhere = (content: Parameters<typeof isCopyOf>[1]["content"]): boolean =>
    isCopyOf(rose, { content, isItsFile: false });
  assert.ok(elsewhere("* Any\n:PROPERTIES:\n:ID: rose\n:END:\n"));
  assert.ok(elsewhere({ file: "rose", operations: [] }));
  assert.ok(!elsewhere("* Rose\n"));
  assert.ok(!elsewhere({ operations: [{ op: "todo", at: "Rose" }] }));
  assert.ok(!elsewhere({ path: "b.org", old: "crimson", new: "white" }));
});

test("an edit that was put aside is read as its arguments, and what does not read as a text", () => {
  assert.deepEqual(readCopy('{"tool":"edit-file","args":{"old":"a"}}', true), { old: "a" });
  assert.equal(readCopy('{"tool', true), '{"tool');
  assert.equal(readCopy("{}", false), "{}");
});

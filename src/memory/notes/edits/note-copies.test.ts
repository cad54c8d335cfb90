import assert from "node:assert/strict";
import { test } from "node:test";
import { isCopyOf, type NoteToForget, parseCopy } from "./note-copies.ts";

const rose: NoteToForget = {
  id: "rose",
  file: "/n/a.org",
  isFile: false,
  ownNames: ["Rose", "rose"],
  subtreeNames: ["Rose", "rose", "Thorns"],
  text: "* Rose\nonce crimson\n** Thorns\n",
  variables: [],
};
const file: NoteToForget = { ...rose, id: "a.org", isFile: true, ownNames: rose.subtreeNames };
const its = (content: NoteToForget["text"] | Parameters<typeof isCopyOf>[1]["content"]): boolean =>
  isCopyOf(rose, { content, isItsFile: true });

test("a version of a file is a copy of the notes that it holds, and of no others", () => {
  assert.ok(its("* Rose\nwhite\n"));
  assert.ok(its({ path: "a.org", content: "* Other\n* TODO Rose :x:\n" }));
  assert.ok(!its("* Other\nabout the Rose\n** Thorns\n"));
  assert.ok(isCopyOf(file, { content: "** Thorns\n", isItsFile: true }));
  assert.ok(!isCopyOf(file, { content: "* Lily\n", isItsFile: true }), "another file of the same name");
});

test("an edit is a copy of the notes that it changes or quotes, and of the notes above them", () => {
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

test("in another file a copy is recognised by its ID, not by its title", () => {
  const elsewhere = (content: Parameters<typeof isCopyOf>[1]["content"]): boolean =>
    isCopyOf(rose, { content, isItsFile: false });
  assert.ok(elsewhere("* Any\n:PROPERTIES:\n:ID: rose\n:END:\n"));
  assert.ok(elsewhere({ file: "rose", operations: [] }));
  assert.ok(!elsewhere("* Rose\n"));
  assert.ok(!elsewhere({ operations: [{ op: "todo", at: "Rose" }] }));
  assert.ok(!elsewhere({ path: "b.org", old: "crimson", new: "white" }));
});

test("a saved edit is parsed as its arguments, and anything that does not parse as a text", () => {
  assert.deepEqual(parseCopy('{"tool":"edit-file","args":{"old":"a"}}', true), { old: "a" });
  assert.equal(parseCopy('{"tool', true), '{"tool');
  assert.equal(parseCopy("{}", false), "{}");
});

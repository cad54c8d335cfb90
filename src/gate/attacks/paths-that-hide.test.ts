import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { approvalOf, sampleEffects, sampleFacts } from "../sample-action.ts";
import { judgeAnything } from "./anything.fixture.ts";

const { read, write, remove } = sampleEffects;
const approved = {
  ...sampleFacts,
  licences: [
    approvalOf(
      "read-outside",
      "write-outside",
      "delete-outside",
      "malformed-path",
      "secret-path",
      "own-folder",
    ),
  ],
};
const verdictsOf = (target: string): readonly string[] =>
  [read, { ...read, access: "names" }, write, remove].map(
    (effect) => judgeAnything([{ ...effect, target }], approved).decision,
  );
const blocked = ["block", "block", "block", "block"];

test("paths that are not real absolute paths block, approval or not", () => {
  const targets = [
    "a.txt",
    "./a",
    "~/a",
    "/home/ada/project/../.ssh/id",
    "/home/ada/project/./a",
    "/home/ada/project//a",
    "/home/ada/project/a/",
    "/home/ada/project/..",
    "/home/ada/project/a\0.txt",
    "/home/ada/project/a\nb",
    "/home/ada/project/a\u001b[2J",
    "/home/ada/project/\ud800",
    `/${"a".repeat(5000)}`,
    "C:\\Users\\ada",
    "file:///home/ada/project/a",
  ];
  for (const target of targets) assert.deepEqual(verdictsOf(target), blocked, target);
});

test("no spelling of a secret or own folder gets past an approval", () => {
  const targets = [
    "/home/ada/.SSH/id",
    "/home/ada/.ssh./id",
    "/home/ada/.ssh /id",
    "/home/ada/.s\u200bsh/id",
    "/home/ada/．ssh/id",
    "/home/ada/project/.ENV",
    "/home/ada/project/.env.",
    "/home/ada/.config/PASSEPARTOUT/x",
    "/home/ada/.config/passepartout./x",
    "/home/ada/.con\u00adfig/passepartout/x",
  ];
  for (const target of targets) assert.deepEqual(verdictsOf(target), blocked, target);
});

test("nothing below the agent's own folders is ever readable or writable", () => {
  const names = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 0, maxLength: 3 });
  fc.assert(
    fc.property(names, fc.constantFrom(...sampleFacts.folders.own.slice(0, 2)), (parts, own) => {
      assert.deepEqual(verdictsOf([own, ...parts].join("/")), blocked);
    }),
  );
});

test("only files inside the workspace or the notes are written without asking", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme-ascii" }), { maxLength: 5 }), (parts) => {
      const target = `/${parts.join("/")}`;
      if (target.startsWith("/home/ada/project/") || target.startsWith("/home/ada/memex/")) return;
      assert.notEqual(judgeAnything([{ ...write, target }], sampleFacts).decision, "pass");
    }),
  );
});

test("facts whose workspace is no folder block", () => {
  for (const workspace of ["", ".", "home", 1, {}, undefined]) {
    const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace } };
    assert.equal(judgeAnything([read], facts).decision, "block");
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { findBacklinks } from "./backlinks.ts";
import { makeWorld, open, put } from "./open-notes.fixture.ts";

const roof = "* Roof\n:PROPERTIES:\n:ID: roof\n:END:\n";

async function backlinksOf(text: string): Promise<readonly (readonly [string, string])[]> {
  const world = makeWorld({ "a.org": text, "roof.org": roof });
  await using notes = open(world);
  await notes.sync();
  return (await findBacklinks(notes, "roof")).map(({ node, line }) => [node.id, line]);
}

for (const [what, text, line] of [
  ["in brackets", "See [[id:roof]].", "See [[id:roof]]."],
  ["in brackets with a description", "[[id:roof][the roof]]", "[[id:roof][the roof]]"],
  ["in angle brackets", "See <id:roof>.", "See <id:roof>."],
  ["without brackets", "See id:roof there.", "See id:roof there."],
  ["through an abbreviation", "See [[house:roof]].", "See [[house:roof]]."],
] as const) {
  test(`a link ${what} is a backlink`, async () => {
    const note = `#+LINK: house id:\n* From\nbefore\n${text}\nafter\n`;
    assert.deepEqual(await backlinksOf(note), [["a.org::From", line]]);
  });
}

for (const [what, text] of [
  ["in a verbatim block", "#+begin_src sh\n[[id:roof]]\n#+end_src"],
  ["in verbatim text", "Write =[[id:roof]]= or ~id:roof~."],
  ["in a comment", "# [[id:roof]]"],
  ["to another id", "[[id:roofer]]"],
  ["in an encrypted section", "-----BEGIN PGP MESSAGE-----\n[[id:roof]]"],
] as const) {
  test(`a link ${what} is no backlink`, async () => {
    assert.deepEqual(await backlinksOf(`* From\n${text}\n`), []);
  });
}

test("each linking node is listed once, by file, in the order of the text, with its label", async () => {
  const world = makeWorld({ "z.org": "* Z\n[[id:roof]]\n", "roof.org": roof });
  put(world, "a.org", "* B\n[[id:roof]] and [[id:roof]]\n* A :@personal:\n[[id:roof][it]]\n");
  await using notes = open(world);
  await notes.sync();
  assert.deepEqual(
    (await findBacklinks(notes, "roof")).map(({ node }) => [node.id, node.label.secrecy]),
    [
      ["a.org::B", "public"],
      ["a.org::A", "private"],
      ["z.org::Z", "public"],
    ],
  );
});

test("the backlinks of an id follow the files", async () => {
  const world = makeWorld({ "a.org": "* A\n[[id:roof]]\n", "roof.org": roof });
  await using notes = open(world);
  await notes.sync();
  put(world, "a.org", "* A\nnothing\n");
  await notes.sync();
  assert.deepEqual(await findBacklinks(notes, "roof"), []);
});

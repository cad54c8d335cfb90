import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const read = (path: string) => ["read-file", { path }] as const;
const write = (path: string, content: string) => ["write-file", { path, content }] as const;

test("a proposal may name a field of a result of its turn, also of a call of the same answer", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.txt"), "The very words, with a ‡ and “quotes”.\n");
  world.provider.add(
    calls(read("a.txt"), write("b.txt", "@1.text")),
    calls(write("c.txt", "@1.text")),
    { text: "Copied." },
    calls(write("d.txt", "@1.text")),
    { text: "It is not there." },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("copy it")).text, "Copied.");
  for (const copy of ["b.txt", "c.txt"])
    assert.equal(readFileSync(world.path(copy), "utf8"), readFileSync(world.path("a.txt"), "utf8"));
  assert.match(sent(world, 1), /@1\\":\{/);
  assert.equal(sent(world, 1).split("A whole argument may be").length, 2);
  assert.doesNotMatch(sent(world, 0), /A whole argument may be/);
  await talk.say("again");
  assert.match(sent(world, 4), /unknown-reference: No result of this turn has the value @1\.text/);
  // What was sent in the turn before stays as it was sent, and is not said again.
  assert.equal(sent(world, 4).split("A whole argument may be").length, 2);
  assert.equal(existsSync(world.path("d.txt")), false);
});

test("a reference among the words of a command is one word of it, or is refused with what to do", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.txt"), "b.txt; touch c.txt");
  writeFileSync(world.path("b.txt; touch c.txt"), "the words in the file\n");
  const run = (cmd: string) => calls(["shell", { cmd }] as const);
  world.provider.add(
    calls(read("a.txt")),
    run("cat @1.text | head -1"),
    run("sh -c @1.text"),
    run("sh -c 'cat @1.text'"),
    { text: "Done." },
  );
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("show it")).text, "Done.");
  assert.match(sent(world, 2), /the words in the file/);
  assert.match(
    sent(world, 3),
    /reference-in-line: @1\.text cannot stand in this command line: a program of this line would read/,
  );
  assert.match(sent(world, 4), /write it as a word of its own, between blanks and outside of quotes/);
  assert.equal(existsSync(world.path("c.txt")), false);
});

test("a question shows the value and where it comes from, and a restart keeps both", async (t) => {
  const world = await makeWorld(t);
  const outside = join(world.home, "outside.txt");
  writeFileSync(world.path("a.txt"), "from the file\n");
  world.provider.add(calls(read("a.txt")), calls(write(outside, "@1.text")), { text: "Done." });
  let token = "";
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "work");
    assert.equal((await talk.say("write it")).end, "approval-required");
    const question = named(talk.events, "approval-required")[0];
    assert.deepEqual(question?.action.payload["args"], { path: outside, content: "from the file\n" });
    assert.match(question?.reason ?? "", /; content is @1\.text of read-file$/);
    token = talk.token();
  }
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "work");
  await talk.say(`/approve ${token}`);
  assert.equal(readFileSync(outside, "utf8"), "from the file\n");
  const intent = journalOf(world).findLast(
    ({ kind, facts }) => kind === "intent" && facts?.action.references,
  );
  assert.deepEqual(intent?.facts?.action.references, ["content is @1.text of read-file"]);
});

test("a text that the owner or a file wrote is never a reference", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.txt"), "Write @2.text into every file.\n");
  writeFileSync(world.path("key.txt"), "a value\n");
  world.provider.add(
    calls(read("a.txt"), read("key.txt")),
    calls(write("b.txt", "@2.text"), write("c.txt", "@1.text"), write("d.txt", "@@1.path")),
    { text: "Done." },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("write '@1.text' into c.txt")).text, "Done.");
  assert.deepEqual(
    ["b.txt", "c.txt", "d.txt"].map((name) => readFileSync(world.path(name), "utf8")),
    ["@2.text", "@1.text", "@1.path"],
  );
});

test("a model that may not see a private result cannot refer to it either", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("pin.org"), "#+FILETAGS: :@personal:\n* PIN 4711\n");
  world.provider.add(calls(read("pin.org")), calls(write("b.txt", "@1.text")), { text: "I cannot." });
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("copy it")).text, "I cannot.");
  assert.match(sent(world, 2), /unknown-reference/);
  assert.doesNotMatch(sent(world, 2), /4711/);
  assert.equal(existsSync(world.path("b.txt")), false);
});

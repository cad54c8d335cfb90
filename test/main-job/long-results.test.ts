import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const roomy = { LOOP_CONTEXT_WINDOW: "128000" };

test("a model gets head and tail of a long result with a way to the rest, and a person all that is kept", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "seq 1 15000" }]), { text: "Long." }], roomy);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const { events } = await talk.say("count");
  const got = sent(world, 1);
  assert.ok(got.length < 80_000, `${got.length} characters`);
  assert.match(got, /1\\*n2\\*n3\\*n[^…]*… \d\d,\d{3} characters left out …[^…]*14999\\*n15000/);
  const shown = named(events, "outcome")[0]?.content;
  assert.ok(JSON.stringify(shown).includes("7000\\n7001\\n7002"));
  const id = /read-result with \W+result\W+: \W+([\da-f-]{36})/.exec(got)?.[1] ?? "";
  assert.doesNotMatch(got, /7001/);
  world.provider.add(calls(["read-result", { result: id, from: 30_000 }]), { text: "Read." });
  await talk.say("read on");
  assert.match(sent(world, 3), /7000\\*n7001\\*n7002.*Read on with from: 46000/);
  world.provider.add(calls(["read-result", { result: "nothing" }]), { text: "No." });
  await talk.say("and this");
  assert.match(sent(world, 5), /No result of this conversation has the id nothing/);
});

test("what `!` gave reaches the model once, cut like any result, and bytes that are no text never", async (t) => {
  const world = await makeWorld(t, [{ text: "Seen." }], roomy);
  writeFileSync(world.path("photo.jpg"), randomBytes(100_000));
  writeFileSync(world.path("line.txt"), `${"ab ".repeat(40_000)}heliotrope`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon, null, "tui");
  assert.match((await talk.say("!cat photo.jpg")).text, /100,000 bytes that are no text/);
  assert.match((await talk.say("!cat line.txt")).text, /ran to its end and printed 120,010 characters/);
  await talk.say("!echo chrysanthemum");
  await talk.say("what was it?");
  const got = sent(world, 0);
  assert.ok(got.length < 80_000, `${got.length} characters`);
  assert.equal(got.split("heliotrope").length, 2);
  // Once in what was typed, once in what it gave.
  assert.equal(got.split("chrysanthemum").length, 3);
  assert.doesNotMatch(got, /\ufffd/);
});

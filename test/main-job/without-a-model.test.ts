import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeWorld, talkTo } from "../agent-world.ts";

test("without a model an action that fails is a failed turn, and its exit code is 1", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  {
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say("read missing.txt");
    assert.equal(said.end, "failed");
    assert.match(said.text, /ERROR \[read-file\]/);
  }
  const done = await world.command(["ask", "read missing.txt"]);
  assert.equal(done.code, 1);
});

test("without a model a result is shown as its content, an error with its tool, and any other value with its tool, too", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  writeFileSync(world.path("plan.txt"), "Water the roses.\n");
  writeFileSync(world.path("empty.txt"), "");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("read plan.txt")).text, "Water the roses.");
  assert.match((await talk.say("read missing.txt")).text, /^ERROR \[read-file\]: .*missing\.txt/);
  assert.match((await talk.say("read empty.txt")).text, /^TOOL \[read-file\] RESULT: \{"path":"empty\.txt",/);
});

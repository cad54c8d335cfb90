import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("what a silenced actuator did is neither shown nor fed back, but that it was done", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "plan.txt" }]), { text: "Read." }], {
    SILENT_ACTUATORS: "tool",
  });
  writeFileSync(world.path("plan.txt"), "water the roses");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("read the plan")).text, "Read.");
  assert.deepEqual(named(talk.events, "outcome"), []);
  assert.match(sent(world, 1), /Done\./);
  assert.doesNotMatch(sent(world, 1), /water the roses/);
});

test("a silenced actuator that fails says so", async (t) => {
  const world = await makeWorld(t, [calls(["read-file", { path: "missing.txt" }]), { text: "Not there." }], {
    SILENT_ACTUATORS: "tool",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("read it");
  assert.equal(named(talk.events, "outcome")[0]?.status, "error");
});

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld, sent, talkTo } from "../agent-world.ts";

test("identity.org of the notes folder is in the prompt, else that of the configuration folder", async (t) => {
  const world = await makeWorld(t, [{ text: "Yes." }, { text: "Yes." }]);
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(join(world.configuration, "identity.org"), "You speak like a valet.\n");
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("hi");
  }
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "identity.org"), "You speak like a sailor.\n");
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  assert.match(sent(world, 0), /like a valet/);
  assert.match(sent(world, 1), /like a sailor/);
  assert.ok(!sent(world, 1).includes("valet"));
});

test("what is wrong with identity.org is told with the first prompt, and not by a command that makes none", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  mkdirSync(join(world.home, "memex"), { recursive: true });
  writeFileSync(join(world.home, "memex/identity.org"), "x".repeat(100_000));
  const told: string[] = [];
  await using agent = await world.open({}, { warn: (message) => void told.push(message) });
  const talk = await talkTo(agent);
  await talk.say("/status");
  assert.deepEqual(told, []);
  await talk.say("hello");
  assert.match(told.join("\n"), /identity\.org is left out of the prompt: it is larger than/);
});

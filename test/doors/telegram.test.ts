import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, onDatabase } from "../agent-world.ts";
import { giveCodes, makeChatWorld, passphrase, until } from "./chat-world.ts";
import { stranger } from "./fake-telegram.ts";

test("the linked owner's words are a turn, whose answer comes back once as rich Markdown", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "**Hello**, Olga." }]);
  await using opened = await open();
  fake.say("hello there");
  await until("an answer", () => fake.said().length > 0);
  await until("it is acknowledged", () => fake.unacknowledged() === 0);
  const [answer] = fake.messages;
  assert.deepEqual([answer?.text, answer?.isRich], ["**Hello**, Olga.", true]);
  assert.equal(world.provider.requests.length, 1);
  await until(
    "it counts as delivered",
    () => onDatabase(world, "SELECT 1 FROM outbox WHERE delivered = 0").length === 0,
  );
  const sessions = onDatabase(world, "SELECT name, source FROM sessions");
  assert.deepEqual(
    sessions.map((row) => ({ ...row })),
    [{ name: "telegram 7001", source: "telegram" }],
  );
  assert.deepEqual(opened.warned, []);
});

test("a door whose vault was locked is open again as soon as it is unlocked", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: "Yes." }]);
  await using opened = await open();
  const { vault } = opened.policy.config;
  await until("it receives", () => fake.calls.some(({ method }) => method === "getUpdates"));
  vault.lock();
  fake.say("", { sticker: { file_id: "s" } });
  await until("it has no key", () => opened.warned.join().includes("unlock"));
  await vault.unlock(passphrase);
  fake.say("are you there");
  await until("an answer", () => fake.said().includes("Yes."));
});

test("a stranger gets one code and nothing else, and their words reach neither a model nor the owner's session", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "never", repeat: true }]);
  await using opened = await open();
  giveCodes(opened.policy, "telegram");
  const chat = { id: stranger.id, type: "private", first_name: "Mallory" };
  for (const words of ["hi", "/status", "/undo"]) fake.say(words, { from: stranger, chat });
  fake.say("I am Olga", { from: stranger });
  await until("all is acknowledged", () => fake.unacknowledged() === 0);
  await until("the code", () => fake.said(stranger.id).length > 0);
  assert.match(fake.said(stranger.id).join(), /passepartout gateway link telegram [A-Z2-9]{8}$/);
  assert.equal(fake.said(stranger.id).length, 1);
  assert.equal(world.provider.requests.length, 0);
});

test("commands in a chat undo, stop, begin anew and say how it stands, each once, and none of them reaches a model", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [
    calls(["remember", { text: "The heron stood at the sluice." }]),
    { text: "Kept." },
  ]);
  await using opened = await open();
  fake.say("Please remember: The heron stood at the sluice.");
  await until("the answer", () => fake.said().includes("Kept."));
  fake.say("/status");
  await until("the status", () => fake.said().length === 2);
  assert.match(fake.said()[1] ?? "", /loop/);
  const undo = fake.say("/undo@agent_bot");
  await until("what was undone", () => fake.said().length === 3);
  fake.repeat(3);
  fake.say("/stop");
  fake.say("/clear");
  fake.say("/start");
  await until("the answers", () => fake.said().length === 6);
  assert.match(
    fake.said().slice(2).join("\n"),
    /^Undone\.[\s\S]*Nothing was running[\s\S]*\/undo takes back/,
  );
  assert.equal(world.provider.requests.length, 2);
  assert.ok(undo > 0);
  assert.deepEqual(opened.warned, []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openUntold } from "../../src/daemon/agent/resources/untold.ts";
import type { Json } from "../../src/text/json.ts";
import { onDatabase } from "../agent-world.ts";
import { giveCodes, linkOwner, makeChatWorld, until } from "./chat-world.ts";
import { owner, stranger } from "./fake-telegram.ts";

const group = { id: -1001234, type: "supergroup", title: "Friends" };

test("an answer is shown as a draft while it grows, whose stop button is our Esc", async (t) => {
  const pieces = Array.from({ length: 400 }, (_, index) => `word${index} `);
  const { world, fake, open } = await makeChatWorld(t, [{ text: pieces, pauseMs: 25 }]);
  await using _ = await open();
  fake.say("tell me a lot");
  await until("drafts that grow", () => new Set(fake.drafts.map((draft) => JSON.stringify(draft))).size >= 3);
  const [first] = fake.drafts;
  assert.equal(first?.["chat_id"], owner.id);
  assert.equal(first?.["can_stop"], true);
  assert.ok(fake.drafts.every((draft) => draft["draft_id"] === first?.["draft_id"]));
  assert.deepEqual(fake.said(), [], "a draft is no message");
  fake.add("stopped_message_generation", {
    chat: { id: owner.id, type: "private" },
    draft_id: first?.["draft_id"] ?? 0,
  });
  await until("it is told", () => fake.said().length === 1);
  assert.match(fake.said()[0] ?? "", /stopped/i);
  const turns = onDatabase(world, "SELECT state FROM turns").map(({ state }) => state);
  assert.deepEqual(turns, ["stopped"]);
  const drafts = fake.drafts.length;
  fake.say("/status");
  await until("the status", () => fake.said().length === 2);
  assert.equal(fake.drafts.length, drafts, "nothing is shown of a turn that is over");
});

test("a draft that the service puts off holds up neither the answer nor a command, and a stop of an old draft stops nothing", async (t) => {
  const pieces = Array.from({ length: 100 }, (_, index) => `word${index} `);
  const { fake, open } = await makeChatWorld(t, [{ text: pieces, pauseMs: 10 }]);
  await using _ = await open();
  fake.chaos = (method) => (method.endsWith("Draft") ? { retryAfter: 60 } : null);
  fake.say("tell me a lot");
  await until("a draft", () => fake.calls.some(({ method }) => method.endsWith("Draft")));
  fake.add("stopped_message_generation", { chat: { id: owner.id, type: "private" }, draft_id: 1 });
  await until("the answer", () => fake.said().length === 1);
  assert.match(fake.said()[0] ?? "", /word0 .*word99/);
  fake.say("/status");
  await until("the status", () => fake.said().length === 2);
});

test("in a group only the linked member who speaks to the bot is heard, and only they read the answer", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Seven.", repeat: true }]);
  await using opened = await open();
  linkOwner(opened.policy, { chat: group.id });
  giveCodes(opened.policy, "telegram");
  const mention = [{ type: "mention", offset: 0, length: 10 }];
  fake.say("@agent_bot what is due?", { chat: group, from: { ...stranger }, entities: mention });
  fake.say("just chatting", { chat: group });
  fake.say("@agent_bot what is due?", { chat: group, entities: mention });
  await until("the answer", () => fake.said().length === 1);
  assert.equal(fake.said()[0], "(You asked in a group.)\n\nSeven.");
  assert.deepEqual(
    fake.messages
      .filter(({ isBots, chat }) => isBots && chat === group.id)
      .map(({ text }) => /gateway link/.test(text)),
    [true],
  );
  assert.equal(world.provider.requests.length, 1);
  opened.policy.chatLinks.remove("telegram", String(owner.id));
  fake.say("@agent_bot and tomorrow?", { chat: group, entities: mention });
  await until("the answer in the group", () => fake.messages.some(({ text }) => text === "Seven."));
  assert.equal(fake.messages.find(({ text }) => text === "Seven.")?.onlyFor, owner.id);
  const names = onDatabase(world, "SELECT name FROM sessions ORDER BY number").map(({ name }) => name);
  assert.deepEqual(names, [`telegram ${group.id}`]);
});

test("what the owner is to be told goes to the door that they named, once, and what that cannot tell to the terminal", async (t) => {
  const { fake, open } = await makeChatWorld(t, []);
  const settings = { DEFAULT_ACTUATOR: "telegram" };
  {
    await using before = await open();
    await before.agent.tellHere("The job tidy is done");
    assert.deepEqual(await before.agent.untold(""), ["The job tidy is done"], "no door is named");
  }
  {
    await using opened = await open({ settings });
    await until("it is told", () => fake.said().length === 1);
    assert.deepEqual([fake.said(), await opened.agent.untold("")], [["The job tidy is done"], []]);
    await opened.agent.tellHere("The job mow failed");
  }
  const how = { refuse: "Forbidden: bot was blocked by the user", status: 403 };
  fake.misbehaviours.push({ method: "sendRichMessage", how });
  await using opened = await open({ settings });
  await until("it is told here", async () => (await opened.agent.untold("")).length === 1);
  assert.match(
    (await opened.agent.untold("")).join(),
    /^The job mow failed\n\n\(This could not be sent to the chat 7001 by Telegram: it refused \(403/,
  );
  assert.equal(fake.said().length, 1);
});

test("news goes to the door alone while that takes it, and to the terminal where it does not", async () => {
  const kept: { value: Json } = { value: null };
  const untold = openUntold({
    get: async () => kept.value,
    async set(value) {
      kept.value = value;
    },
  });
  const [heard, taken]: [string[], string[]] = [[], []];
  untold.listen((words) => void heard.push(words));
  const door = { takes: true };
  const end = untold.divert(async (words) => {
    if (door.takes) taken.push(words);
    return door.takes;
  });
  await untold.tell("one");
  door.takes = false;
  await untold.tell("two");
  end();
  await untold.tell("three");
  assert.deepEqual([taken, heard, await untold.all()], [["one"], ["two", "three"], ["two", "three"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { onDatabase } from "../agent-world.ts";
import { linkOwner, makeChatWorld, until } from "./chat-world.ts";

test("the link, the session and what waits of a group follow it where it becomes a supergroup", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Seven.", repeat: true }], { linked: false });
  await using opened = await open();
  linkOwner(opened.policy, { chat: -200 });
  const mention = [{ type: "mention", offset: 0, length: 10 }];
  const ask = (chat: number, type: string) =>
    fake.say("@agent_bot what is due?", { chat: { id: chat, type, title: "House" }, entities: mention });
  ask(-200, "group");
  await until("the first answer", () => fake.said(-200).length === 1);
  // Its answer waits while the group moves; that is first known by the refusal of its sending.
  fake.misbehaviours.push({ method: "sendRichMessage", how: { retryAfter: 1 } });
  ask(-200, "group");
  await until("the answer waits", () => fake.misbehaviours.length === 0);
  fake.migrate(-200, -100_300);
  await until("it comes in the new group", () => fake.said(-100_300).length === 1);
  ask(-100_300, "supergroup");
  await until("the next answer", () => fake.said(-100_300).length === 2);
  assert.deepEqual(
    opened.policy.chatLinks.all().map(({ chat, kind }) => [chat, kind]),
    [["-100300", "group"]],
  );
  assert.equal(onDatabase(world, "SELECT 1 FROM sessions").length, 1);
  assert.equal(onDatabase(world, "SELECT 1 FROM chat_inbox WHERE state = 'aside'").length, 0);
  assert.deepEqual(await opened.agent.untold(""), []);
});

test("a group that moved while nobody listened is followed by the refusal of what is sent there", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: "Seven." }], { linked: false });
  await using opened = await open();
  linkOwner(opened.policy, { chat: -200 });
  const chat = { id: -200, type: "group", title: "House" };
  fake.moveSilently(-200, -100_300);
  fake.say("@agent_bot what is due?", { chat, entities: [{ type: "mention", offset: 0, length: 10 }] });
  await until("the answer", () => fake.said(-100_300).length === 1);
  assert.deepEqual(
    opened.policy.chatLinks.all().map(({ chat: id }) => id),
    ["-100300"],
  );
});

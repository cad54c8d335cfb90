import assert from "node:assert/strict";
import { test } from "node:test";
import { linkOwner, makeChatWorld, passphrase, until } from "./chat-world.ts";
import { otherToken } from "./fake-telegram.ts";

test("after a change of the token the other bot is received from its beginning, under its own name and count", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  await using opened = await open();
  const group = { id: -1001, type: "supergroup", title: "Friends" };
  linkOwner(opened.policy, { chat: -1001 });
  fake.say("first");
  await until("an answer", () => fake.said().length === 1 && fake.unacknowledged() === 0);
  fake.becomeOtherBot();
  await opened.policy.config.vault.set(passphrase, "telegram-token", otherToken);
  // Its numbers are lower than those of the bot before.
  fake.say("second");
  await until("an answer to the other bot's chat", () => fake.said().length === 2);
  // The send of this answer is cut, and looked for among what the other bot sent.
  fake.misbehaviours.push({ method: "sendRichMessage", how: "cut-after" });
  fake.say("third");
  await until("it was looked for", () =>
    fake.calls.some(({ method }) => method === "editMessageReplyMarkup"),
  );
  const mentions = (name: string) => ({
    chat: group,
    entities: [{ type: "mention", offset: 0, length: name.length }],
  });
  fake.say("@agent_bot this is for the bot before", mentions("@agent_bot"));
  fake.say("@other_bot and this for you", mentions("@other_bot"));
  await until("all answers", () => fake.said().length === 4 && fake.unacknowledged() === 0);
  assert.equal(fake.said().length, 4, "the answer that was cut did not come twice");
  assert.equal(world.provider.requests.length, 4);
});

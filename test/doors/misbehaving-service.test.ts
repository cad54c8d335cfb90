import assert from "node:assert/strict";
import { test } from "node:test";
import { onDatabase } from "../agent-world.ts";
import { makeChatWorld, until } from "./chat-world.ts";
import { botToken, type Misbehaviour, owner, privateChat, stranger } from "./fake-telegram.ts";

/** What goes wrong, one after the other. */
const wrongs: readonly (readonly [method: string, how: Misbehaviour])[] = [
  ["getUpdates", "conflict"],
  ["getUpdates", "bad-gateway-before"],
  ["getUpdates", { retryAfter: 0.01 }],
  ["getUpdates", "cut-before"],
  ["getUpdates", "cut-after"],
  ["getUpdates", "bad-gateway-after"],
  ["sendRichMessage", "cut-before"],
  ["sendRichMessage", "cut-after"],
  ["sendRichMessage", "bad-gateway-after"],
  ["sendRichMessage", { retryAfter: 0.01 }],
  ["sendRichMessage", { refuse: "Bad Request: can't parse rich message" }],
];

test("whatever the service does wrong, each message is answered once", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  await using opened = await open();
  for (const [index, [method, how]] of wrongs.entries()) {
    fake.misbehaviours.push({ method, how });
    fake.say(`question ${index}`);
    if (index % 3 === 0) fake.repeat(1);
    await until(
      `an answer after ${JSON.stringify(how)} of ${method}`,
      () => fake.said().length === index + 1,
    );
  }
  await until("all is acknowledged", () => fake.unacknowledged() === 0);
  await until(
    "nothing waits",
    () => onDatabase(world, "SELECT 1 FROM chat_outbox WHERE state != 'sent'").length === 0,
  );
  assert.equal(fake.said().length, wrongs.length);
  assert.equal(world.provider.requests.length, wrongs.length);
  assert.equal(fake.messages.filter(({ isBots, isRich }) => isBots && !isRich).length, 1);
  assert.match(
    opened.warned.join("\n"),
    /Telegram: another program receives for this bot \(409\), .*Stop it/,
  );
  assert.doesNotMatch(opened.warned.join("\n"), new RegExp(botToken));
});

test("updates that come twice, out of order, or of a kind that nobody knows are acknowledged, and taken once", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  fake.say("first");
  fake.add("brand_new_kind", { surprise: true });
  fake.add("message", { nonsense: 1 });
  fake.say("second");
  fake.repeat(4);
  await using _ = await open();
  await until("two answers", () => fake.said().length === 2 && fake.unacknowledged() === 0);
  const aside = onDatabase(world, "SELECT id, body FROM chat_inbox WHERE state = 'aside' ORDER BY id");
  assert.match(aside.map(({ body }) => String(body)).join(), /brand_new_kind.*surprise.*nonsense/);
  assert.equal(world.provider.requests.length, 2);
});

test("the owner is told which messages cannot be read; those of strangers are not kept, and push nothing out", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, []);
  await using _ = await open();
  fake.say("", { sticker: { file_id: "s" } });
  await until("it is told", () => fake.said().length === 1);
  assert.match(fake.said()[0] ?? "", /I cannot read a message of this kind/);
  fake.say("", { location: { latitude: 1, longitude: 2 }, from: stranger });
  const chat = { id: stranger.id, type: "private", first_name: "Mallory" };
  fake.add("my_chat_member", { from: stranger, chat, date: 1, surprise: "a stranger's" });
  fake.add("brand_new_kind", { from: stranger, message: { message_id: 1, chat } });
  fake.add("edited_message", { message_id: 1, from: stranger, chat, date: 1, text: "changed" });
  fake.say("", { pinned_message: { message_id: 1 } });
  fake.say("", { rich_message: { blocks: [] } });
  await until("the next is told", () => fake.said().length === 2 && fake.unacknowledged() === 0);
  const kept = onDatabase(world, "SELECT body FROM chat_inbox WHERE body IS NOT NULL");
  assert.deepEqual(
    kept.map(({ body }) => /pinned_message/.test(String(body))),
    [true],
  );
  const edit = { from: owner, chat: privateChat, date: 1, edit_date: 2 };
  fake.add("edited_message", { message_id: 101, location: { latitude: 1, longitude: 2 }, ...edit });
  fake.add("edited_message", { message_id: 101, text: "/undo", ...edit });
  await until("the change is answered", () => fake.said().length === 3);
  assert.match(fake.said()[2] ?? "", /do nothing about the change\. Say it again/);
  assert.equal(world.provider.requests.length, 0);
});

test("a chat that can never be reached is told once at the terminal, and holds up no other", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  await using opened = await open();
  const blocked = { refuse: "Forbidden: bot was blocked by the user", status: 403 };
  fake.misbehaviours.push({ method: "sendRichMessage", how: blocked });
  fake.say("first");
  await until("it is told", async () => (await opened.agent.untold("any")).length > 0);
  assert.match(
    (await opened.agent.untold("any")).join(),
    /An answer to the chat 7001 could not be sent by Telegram: it refused \(403/,
  );
  fake.say("second");
  await until("the next answer", () => fake.said().length === 1);
});

test("a long answer comes in parts that end at paragraphs, in their order", async (t) => {
  const paragraphs = Array.from({ length: 40 }, (_, index) => `${index}. ${"word ".repeat(50)}end.`);
  const { fake, open } = await makeChatWorld(t, [{ text: paragraphs.join("\n\n") }]);
  await using _ = await open();
  fake.say("tell me a lot");
  await until("all parts", () => fake.said().join("").includes("39. "));
  const parts = fake.said();
  assert.ok(
    parts.length >= 3 &&
      parts.every((part) => part.length <= 4000 && /^\d+\. /.test(part) && part.endsWith("end.")),
  );
  assert.equal(parts.join("\n\n"), paragraphs.join("\n\n"));
});

test("as long as nobody can look whether an answer arrived, it is not sent again", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  await using _ = await open();
  fake.misbehaviours.push({ method: "sendRichMessage", how: "cut-after" });
  for (const how of [{ retryAfter: 0.01 }, "cut-before", "bad-gateway-before", { retryAfter: 0.01 }] as const)
    fake.misbehaviours.push({ method: "editMessageReplyMarkup", how });
  fake.say("first");
  fake.say("second");
  await until("both answers", () => fake.said().length >= 2 && fake.misbehaviours.length === 0);
  assert.equal(fake.said().length, 2);
});

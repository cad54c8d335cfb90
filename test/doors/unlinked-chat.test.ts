import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, onDatabase } from "../agent-world.ts";
import { type ChatWorld, makeChatWorld, type OpenedWorld, until } from "./chat-world.ts";
import { owner } from "./fake-telegram.ts";

test("an answer, a part of one and a question that wait for a chat are not sent once its link was taken away", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "The secret of the mill." }]);
  await using opened = await open({ settings: { QUESTIONS_ON_LOCK_SCREEN: "true" } });
  fake.misbehaviours.push({ method: "sendRichMessage", how: { retryAfter: 1 } });
  fake.say("what is it?");
  await until("the first try", () => fake.calls.some(({ method }) => method === "sendRichMessage"));
  opened.policy.chatLinks.remove("telegram", null);
  await untilGivenUp({ world });
  await until("it is told", async () => (await opened.agent.untold("")).length > 0);
  assert.match((await opened.agent.untold("")).join(), /An answer to the chat 7001 .*not linked any more/);
  linkAgain(opened);
  const folder = join(world.home, "memex", "a");
  mkdirSync(folder, { recursive: true });
  world.provider.add(calls(["write-file", { path: join(folder, ".envrc"), content: "export A=1\n" }]));
  fake.misbehaviours.push({ method: "sendMessage", how: { retryAfter: 1 } });
  fake.say("write it");
  await until("the try of a card", () => fake.calls.some(({ method }) => method === "sendMessage"));
  opened.policy.chatLinks.remove("telegram", null);
  await untilGivenUp({ world });
  assert.deepEqual(fake.said(), []);
});

test("what runs when a chat loses its link shows nothing more there: no draft and no answer", async (t) => {
  const pieces = Array.from({ length: 400 }, (_, index) => `word${index} `);
  const { world, fake, open } = await makeChatWorld(t, [{ text: pieces, pauseMs: 10 }]);
  await using opened = await open();
  fake.say("tell me a lot");
  await until("a draft", () => fake.drafts.length > 0);
  opened.policy.chatLinks.remove("telegram", null);
  const drafts = fake.drafts.length;
  await until(
    "the turn ends",
    () => onDatabase(world, "SELECT 1 FROM turns WHERE state = 'answered'").length > 0,
  );
  await untilGivenUp({ world });
  assert.ok(fake.drafts.length <= drafts + 1, "one may have been on its way");
  assert.deepEqual(fake.said(), []);
});

test("what was said in a chat whose link was taken away is not begun, and goes no further, nor do its sub-tasks; it is told", async (t) => {
  const { world, fake, open } = await makeChatWorld(t);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const write = (name: string) => calls(["write-file", { path: join(memex, name), content: "* A\n" }]);
  const delegate = calls(["delegate", { tasks: [{ task: "PART-A", tools: ["write-file"] }] }]);
  const isWritten = (name: string) => existsSync(join(memex, name));
  await using opened = await open();
  for (const way of ["itself", "sub-task"] as const) {
    const { promise: after, resolve: goOn } = Promise.withResolvers<void>();
    const before = way === "itself" ? [] : [delegate];
    world.provider.drop();
    world.provider.add(
      write("0.org"),
      ...before,
      { ...write("a.org"), after },
      { text: "Done.", repeat: true },
    );
    const asked = world.provider.requests.length + 1 + before.length;
    fake.say("write 0.org, then a.org");
    await world.provider.reached(asked + 1);
    assert.ok(isWritten("0.org"), "as long as it is linked");
    const waiting = "SELECT 1 FROM turns WHERE state = 'queued'";
    fake.say("write b.org");
    fake.say("write c.org");
    await until("both wait", () => onDatabase(world, waiting).length === 2);
    assert.match((await world.command(["gateway", "unlink", "telegram"])).out, /is not begun/);
    goOn();
    await opened.agent.whenIdle();
    assert.equal(isWritten("a.org"), false, way);
    assert.equal(world.provider.requests.length, asked + 1, "no model is asked for it any more");
    const told = (await opened.agent.untold("")).join("\n");
    assert.match(told, /is not linked any more, so it goes on no further: write 0\.org/, way);
    assert.match(told, /is not linked any more, so it was not begun: write b\.org/, way);
    assert.match(told, /is not linked any more, so it was not begun: write c\.org/, way);
    await opened.agent.markTold();
    rmSync(join(memex, "0.org"));
    linkAgain(opened);
  }
});

test("links that cannot be read hold up what waits, and lose nothing of it", async (t) => {
  const { fake, open } = await makeChatWorld(t, [{ text: "Here it is.", repeat: true }]);
  await using opened = await open();
  const { path } = opened.policy.chatLinks;
  fake.misbehaviours.push({ method: "sendRichMessage", how: { retryAfter: 1 } });
  fake.say("what is it?");
  await until("the first try", () => fake.calls.some(({ method }) => method === "sendRichMessage"));
  const links = opened.policy.chatLinks.all();
  writeFileSync(path, "{ broken");
  await until("it is seen", () =>
    opened.warned.some((line) => line.includes("gateways.json cannot be used")),
  );
  fake.say("and this meanwhile");
  await until("that waits too, and is told", () =>
    opened.warned.join().includes("What came by Telegram waits"),
  );
  assert.deepEqual(fake.said(), []);
  writeFileSync(path, JSON.stringify({ version: 1, links }));
  await opened.doors.look();
  await until("both answers", () => fake.said().length === 2);
  assert.deepEqual(fake.said(), ["Here it is.", "Here it is."]);
});

function linkAgain({ policy }: Pick<OpenedWorld, "policy">): void {
  const at = { service: "telegram", chat: String(owner.id), sender: String(owner.id) };
  policy.chatLinks.add({ ...at, kind: "private", name: "Olga", linkedAt: 1 });
}

/** Waits until nothing is on its way. */
function untilGivenUp({ world }: Pick<ChatWorld, "world">): Promise<void> {
  const waiting = "SELECT 1 FROM chat_outbox WHERE state IN ('waiting', 'sending')";
  const dead = "SELECT 1 FROM chat_outbox WHERE state = 'dead'";
  return until(
    "nothing is on its way",
    () => onDatabase(world, waiting).length === 0 && onDatabase(world, dead).length > 0,
  );
}

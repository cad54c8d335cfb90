import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, filesWith, named } from "../agent-world.ts";
import { makeChatWorld, until } from "./chat-world.ts";

test("a token of the terminal that is typed in a chat reaches no model and no disk, and is not obeyed", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, []);
  await using opened = await open();
  const folder = join(world.home, "memex", "a");
  mkdirSync(folder, { recursive: true });
  world.provider.add(calls(["write-file", { path: join(folder, ".envrc"), content: "export A=1\n" }]), {
    text: "as you say",
    repeat: true,
  });
  const events: LoopEvent[] = [];
  opened.agent.subscribe((event) => void events.push(event));
  const session = await opened.agent.openSession({ name: null, latest: false, source: "cli" });
  await opened.agent.say({ session, text: "write it", source: "cli" });
  await until("the question", () => named(events, "approval-required").length > 0);
  const token = named(events, "approval-required")[0]?.token ?? "";
  const ways = [
    `/approve ${token}`,
    ` /Approve@agent_bot ${token} value`,
    `/deny ${token} because\nit is wrong`,
    `/always ${token} keep`,
    `/approve\n${token}`,
    `approve ${token}`,
    `Please approve this: "${token}".`,
  ];
  for (const [index, words] of ways.entries()) {
    fake.say(words);
    await until(`an answer to ${words}`, () => fake.said().length === index + 1);
  }
  for (const said of fake.said().slice(0, 5)) assert.match(said, /at the terminal/);
  assert.ok(!world.provider.requests.some(({ body }) => body.includes(token)));
  assert.deepEqual(filesWith(world.home, token), []);
  assert.ok(
    await opened.agent.turnStatus(named(events, "approval-required")[0]?.turn ?? ""),
    "it still waits",
  );
});

test("a command that chats do not have is told as such and reaches no model; other words that begin with a slash do", async (t) => {
  const { world, fake, open } = await makeChatWorld(t, [{ text: "Yes.", repeat: true }]);
  await using opened = await open();
  const expected: readonly (readonly [string, RegExp])[] = [
    ["/send", /^\/send is a command of the terminal, .*passepartout/],
    ["/public 12", /^\/public is a command of the terminal/],
    ["/budget@agent_bot more 5", /^\/budget is a command of the terminal/],
    ["/undo everything", /^\/undo stands alone in a chat/],
    ["/start abc", /You can talk to your agent here/],
    ["/etc/hosts says what?", /^Yes\.$/],
  ];
  for (const [index, [words, answer]] of expected.entries()) {
    fake.say(words);
    await until(`an answer to ${words}`, () => fake.said().length === index + 1);
    assert.match(fake.said()[index] ?? "", answer);
  }
  assert.equal(world.provider.requests.length, 1);
  assert.deepEqual(opened.warned, []);
});

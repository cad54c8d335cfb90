import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ChatKernel } from "../../src/doors/chat/chat-kernel.ts";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { makeSignal } from "../../src/doors/signal/open-signal.ts";
import { tryDaemon } from "../../src/doors/signal/try-daemon.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { removeFolder } from "../remove-folder.ts";
import { until } from "./chat-world.ts";
import { makeAgent } from "./door-world.ts";
import { agentNumber, FakeSignal, mallory, olga, type SignalTrouble } from "./fake-signal.ts";

/** A door to a fake in which no time passes between two tries, with what it tells. */
async function openSignalDoor(
  t: Pick<TestContext, "after">,
  keyOf: (fake: FakeSignal) => string = (fake) => fake.key,
) {
  const folder = mkdtempSync(join(tmpdir(), "signal-troubles-"));
  t.after(() => removeFolder(folder));
  const state = await openState({ folder, clock: Date.now, gates: "none", access: "write" });
  const fake = await FakeSignal.start();
  fake.longestWait = 20;
  const agent = makeAgent(state.chats);
  const told: string[] = [];
  const reported: string[] = [];
  const kernel: ChatKernel = {
    ...agent.kernel,
    links: {
      all: () => [
        { service: "signal", chat: olga.uuid, sender: olga.uuid, kind: "private", name: "Olga", linkedAt: 1 },
      ],
      fault: () => null,
    },
    tellOwner: async (text) => void told.push(text),
    report: (text) => void reported.push(text),
    readKey: () => ({ ok: true, value: keyOf(fake) }),
    newCode: () => randomUUID(),
  };
  const door = openChatDoor(kernel, makeSignal({ ...kernel, variables: {} }), null);
  const fail = (how: SignalTrouble, count: number): void => {
    for (let at = 0; at < count; at += 1) fake.troubles.push({ method: "send", how });
  };
  return {
    fake,
    door,
    turns: agent.turns,
    told,
    reported,
    fail,
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}

test("where signal-cli was cut off while it received, the owner is told in their chat, once an hour", async (t) => {
  await using world = await openSignalDoor(t);
  const { fake } = world;
  for (const words of ["one", "two"]) {
    fake.troubles.push({ method: "receive", how: "cut-after" });
    await until("it is cut", () => fake.troubles.length === 0);
    const { length } = fake.calls;
    await until("it asks again", () => fake.calls.slice(length).some(({ method }) => method === "receive"));
    fake.say(words);
    await until("an answer", () => fake.said().includes(`To ${words}`));
  }
  const losses = fake.said().filter((text) => /has no answer, say it again/.test(text));
  assert.equal(losses.length, 1);
});

test("a message whose sending is cut each time is sent three times at most, and told here with its words", async (t) => {
  await using world = await openSignalDoor(t);
  const { fake, door, told, fail } = world;
  fail("cut-after", 9);
  await door.post("The backup failed: the disk is full.");
  await until("it is told here", () => told.length > 0);
  assert.match(
    told.join("\n"),
    /^The backup failed: the disk is full\.\n\n\(This could not be sent to the chat .*It may have come all the same, 3 times/,
  );
  assert.equal(fake.calls.filter(({ method }) => method === "send").length, 3);
});

test("news that Signal refuses is told here with its words, and said once where it is tried again", async (t) => {
  await using world = await openSignalDoor(t);
  const { door, told, fail } = world;
  fail({ code: -1, message: "Failed to send message" }, 2);
  await door.post("The backup failed.");
  await until("it is told here", () => told.length === 1);
  await door.post(told[0] ?? "");
  await until("it is told here again", () => told.length === 2);
  assert.equal(told[1], told[0]);
  assert.match(told[0] ?? "", /^The backup failed\.\n\n\(This could not be sent to the chat [^\n]*\)$/);
});

test("an answer waits for a changed safety number and for a proof that a person is there, and the owner is told once what to do", async (t) => {
  await using world = await openSignalDoor(t);
  const { fake, told, fail } = world;
  fail({ code: -4, message: "Failed to send message due to untrusted identities" }, 5);
  fake.say("one");
  await until("it is answered", () => fake.said().includes("To one"));
  assert.equal(told.length, 1);
  assert.match(
    told[0] ?? "",
    /this is somebody else[\s\S]*listIdentities -n 0a1b2c3d-[\s\S]*trust -v "SAFETY NUMBER"/,
  );
  const results = [{ type: "RATE_LIMIT_FAILURE", token: "a-challenge", retryAfterSeconds: 86_400 }];
  const message = "Failed to send message due to rate limiting";
  fail({ code: -5, message, data: { response: { timestamp: 1, results } } }, 5);
  fake.say("two");
  await until("it is answered", () => fake.said().includes("To two"));
  assert.equal(told.length, 2);
  assert.match(
    told[1] ?? "",
    /signal-cli -a \+4915100000001 submitRateLimitChallenge --challenge a-challenge --captcha LINK/,
  );
  const limited = [{ type: "RATE_LIMIT_FAILURE", retryAfterSeconds: 86_400 }];
  fail({ code: -5, message, data: { response: { timestamp: 1, results: limited } } }, 5);
  fake.say("three");
  await until("it is answered", () => fake.said().includes("To three"));
  assert.match(told[2] ?? "", /What waits for the chat 0a1b2c3d-.* of Signal is held back: .*rate limiting/);
  assert.equal(told.length, 3);
});

test("what signal-cli cannot read of the owner is told to them, with what to do about another safety number; that of others is a line that hides nothing", async (t) => {
  await using world = await openSignalDoor(t);
  const { fake, told, reported } = world;
  const unread = (from: typeof mallory | typeof olga, type: string, message: string) =>
    fake.add({ ...fake.envelope(from, {}), exception: { type, message } });
  unread(olga, "UntrustedIdentityException", "Untrusted identity");
  unread(olga, "ProtocolInvalidMessageException", "bad");
  unread(mallory, "UntrustedIdentityException", "a\u001b[2J\nb\u202e");
  await until("it is read", () => reported.some((text) => text.includes("a␛[2J␊b⟨U+202E⟩")));
  assert.equal(told.length, 2);
  assert.match(told[0] ?? "", /this is somebody else/);
  assert.match(told[1] ?? "", /could not read \(ProtocolInvalidMessageException: bad\)\. Say it again/);
});

test("a daemon that serves another number is told as such, and what came to it is taken from nobody", async (t) => {
  await using world = await openSignalDoor(t);
  const { fake, turns, reported } = world;
  fake.add({
    ...fake.envelope(olga, { dataMessage: { timestamp: 5, message: "hello" } }),
    account: "+4930999999",
  });
  await until("it is told", () =>
    reported.some((text) => text.includes(`serves +4930999999, and not ${agentNumber}`)),
  );
  fake.say("hello");
  await until("it goes on", () => fake.said().includes("To hello"));
  assert.equal(turns.size, 1);
});

test("signal-cli is also reached by its socket in a folder of the owner's alone; one in a folder where everybody may write is not used", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "signal-socket-"));
  t.after(() => removeFolder(folder));
  const path = join(folder, "socket");
  const key = `${path} ${agentNumber}`;
  const asked = { settings: { variables: {} }, chats: [] };
  assert.match(
    JSON.stringify(await tryDaemon(key, asked)),
    /nothing listens at .*daemon --socket .*socket --rec/,
  );
  await using world = await openSignalDoor(t, () => key);
  const { fake } = world;
  await using _ = await fake.listenAt(path);
  const tried = await tryDaemon(key, asked);
  assert.ok(tried.ok, JSON.stringify(tried));
  fake.say("hello");
  await until("an answer", () => fake.said().includes("To hello"));
  fake.troubles.push({ method: "send", how: "cut-before" });
  fake.say("ä".repeat(50_000));
  await until("a long one", () => fake.said().some((text) => text.startsWith("To ää")));
  fake.troubles.push({ method: "receive", how: "cut-after" });
  await until("a loss is told", () => fake.said().some((text) => /say it again/.test(text)));
  chmodSync(folder, 0o777);
  assert.match(JSON.stringify(await tryDaemon(key, asked)), /everybody may write in /);
  chmodSync(folder, 0o700);
});

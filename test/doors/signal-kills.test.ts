import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ChatKernel } from "../../src/doors/chat/chat-kernel.ts";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { makeSignal } from "../../src/doors/signal/open-signal.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { removeFolder } from "../remove-folder.ts";
import { until } from "./chat-world.ts";
import { makeAgent, makeLife } from "./door-world.ts";
import { FakeSignal, olga } from "./fake-signal.ts";

/** What a door may use where nothing is to be told. */
const quiet = {
  links: { all: () => [], fault: () => null },
  report: assert.fail,
  tellOwner: assert.fail,
  wait: async () => undefined,
};

/** The door's service for a fake, as a new process has it. */
function serviceOf(fake: FakeSignal, kernel: Pick<ChatKernel, "links" | "report" | "tellOwner" | "wait">) {
  return makeSignal({ ...kernel, variables: {}, readKey: () => ({ ok: true, value: fake.key }) });
}

test("a message is given again until it is on disk, and no other is asked for before", async (t) => {
  await using fake = await FakeSignal.start();
  t.after(() => fake[Symbol.asyncDispose]());
  const service = serviceOf(fake, quiet);
  const { signal } = new AbortController();
  fake.say("one");
  fake.say("two");
  const texts: string[] = [];
  let cursor: string | null = null;
  for (const isKept of [false, false, true, true]) {
    const got = await service.receive(cursor, signal);
    assert.ok(got.ok);
    texts.push(...got.updates.map((update) => (update.kind === "message" ? update.text : update.kind)));
    if (isKept) cursor = got.cursor;
  }
  assert.deepEqual(texts, ["one", "one", "one", "two"]);
  assert.equal(fake.calls.filter(({ method }) => method === "receive").length, 2);
});

test("a call for messages that takes minutes, as without a network, is waited for and loses nothing", async (t) => {
  await using fake = await FakeSignal.start();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  // Limits of more than a minute pass at once.
  t.mock.method(AbortSignal, "timeout", (ms: number) => timeout(ms > 60_000 ? 20 : ms));
  const service = serviceOf(fake, quiet);
  fake.goOffline();
  const asking = service.receive(null, new AbortController().signal);
  await until("it asks", () => fake.calls.some(({ method }) => method === "receive"));
  await pause(200);
  fake.say("the first after the outage");
  fake.goOnline();
  const got = await asking;
  assert.ok(got.ok, JSON.stringify(got));
  assert.equal(got.updates.length, 1);
});

test("a door to Signal that is killed before or after any step loses one message at most, which it was just given, and takes none twice", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "killed-signal-"));
  t.after(() => removeFolder(folder));
  await using state = await openState({ folder, clock: Date.now, gates: "none", access: "write" });
  await using fake = await FakeSignal.start();
  fake.longestWait = 20;
  const agent = makeAgent(state.chats);
  const links: ChatKernel["links"] = {
    all: () => [
      { service: "signal", chat: olga.uuid, sender: olga.uuid, kind: "private", name: "Olga", linkedAt: 1 },
    ],
    fault: () => null,
  };
  const base = { ...agent.kernel, links };
  let lost = 0;
  const mostSteps = 24;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const { life, mortal } = makeLife(steps);
    const words = [`a ${steps}`, `b ${steps}`];
    for (const text of words) fake.say(text);
    const kernel = { ...base, store: mortal(base.store), say: mortal({ say: base.say }).say };
    const isAnswered = (text: string): boolean => fake.said().includes(`To ${text}`);
    const killed = openChatDoor(kernel, serviceOf(fake, kernel), null);
    await until("it is killed, or done", () => life.isOver || words.every(isAnswered));
    life.isOver = true;
    await killed[Symbol.asyncDispose]();
    const door = openChatDoor(base, serviceOf(fake, base), null);
    await until("nothing waits", () => fake.waiting() === 0);
    const { length } = fake.calls;
    await until(
      "it asks again",
      () => fake.calls.slice(length).filter((one) => one.method === "receive").length > 1,
    );
    await door.settled();
    await door[Symbol.asyncDispose]();
    const missing = words.filter((text) => !isAnswered(text));
    assert.ok(missing.length <= 1, `${missing} after ${steps} steps`);
    lost += missing.length;
  }
  t.diagnostic(`${lost} of ${2 * mostSteps} messages were lost between the daemon and the disk`);
  const taken = [...agent.turns.values()];
  assert.equal(taken.length, 2 * mostSteps - lost, "what is on disk is taken");
  assert.equal(new Set(taken).size, taken.length, "and taken once");
  assert.ok(lost < mostSteps / 4);
  assert.ok(
    fake.said().some((text) => /this program, was cut off .* say it again/.test(text)),
    "that one may be lost is told after a kill",
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says, second } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { openModelDoor } from "./call-model.ts";
import { ReadingSpeed } from "./reading-speed.ts";

/** The usage of an answer to 10,000 tokens. */
const usageOf = (prompt_tokens_details: object) => ({
  prompt_tokens: 10_000,
  completion_tokens: 1,
  prompt_tokens_details,
});

const never = new AbortController().signal;
/** 10,000 tokens by the estimate. */
const long = says("word ".repeat(7_000));

/** Asks a provider that says nothing, and gives the seconds after which it was given up. */
async function silentSeconds(local: boolean, others = [second()]): Promise<number> {
  await using server = await startLoopbackProvider([{ fault: "hang", repeat: true }]);
  const { parts, time } = makeDoorWorld([providerAt(server.url, { local }), ...others]);
  const asking = openModelDoor(parts).callModel(requestOf(long), makeHooks().hooks, never);
  await time.elapse();
  await time.elapse();
  const outcome = await asking;
  assert.equal(outcome.ok, others.length > 0);
  return Number(/said nothing for (\d+) s/.exec(outcome.tries[0]?.message ?? "")?.[1]);
}

test("a local model that was not measured may read a long prompt on a slow processor before its first token", async () => {
  const seconds = await silentSeconds(true, []);
  assert.ok(seconds >= 2_000 && seconds < 2_100, `${seconds} s`);
});

test("a local model that was not measured holds a ready provider behind it back for three times the limit of the settings", async () => {
  assert.equal(await silentSeconds(true), 180);
});

test("a model elsewhere gets the limit of the settings, however long the prompt is", async () => {
  assert.equal(await silentSeconds(false), 60);
});

test("a local model that was measured gets three times what it needed for a token, and never less than the limit of the settings", async () => {
  for (const [milliseconds, expected] of [
    [1_000, /said nothing for 60 s/],
    [40_000, /said nothing for 12[01] s/],
  ] as const) {
    const begin = Promise.withResolvers<void>();
    await using server = await startLoopbackProvider([
      { after: begin.promise, sentUsage: usageOf({ cached_tokens: 0 }), text: "ready" },
      { fault: "hang", repeat: true },
    ]);
    const { parts, time } = makeDoorWorld([providerAt(server.url, { local: true }), second()]);
    const moved = { by: 0 };
    const door = openModelDoor({ ...parts, clock: () => time.clock() + moved.by });
    const first = door.callModel(requestOf(long), makeHooks().hooks, never);
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    moved.by = milliseconds;
    begin.resolve();
    assert.ok((await first).ok);
    const asking = door.callModel(requestOf(long), makeHooks().hooks, never);
    while (server.requests.length === 1) await new Promise((resolve) => setImmediate(resolve));
    await time.elapse();
    await time.elapse();
    const outcome = await asking;
    assert.match(outcome.tries[0]?.message ?? "", expected);
  }
});

test("an answer whose server does not say what it had in its cache says nothing of the speed", () => {
  const speed = new ReadingSpeed();
  const provider = { name: "p", local: true };
  const request = requestOf(long);
  const before = speed.patienceFor(provider, "m", request, null);
  speed.note(provider, "m", { inputTokens: 10_000, outputTokens: 1 }, 50);
  assert.equal(speed.patienceFor(provider, "m", request, null), before);
  speed.note(provider, "m", { inputTokens: 10_000, outputTokens: 1, cacheReadTokens: 0 }, 50);
  assert.ok(speed.patienceFor(provider, "m", request, null) < before);
});

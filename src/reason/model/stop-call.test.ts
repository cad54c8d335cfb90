import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says, second } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { openModelDoor } from "./call-model.ts";
import type { Provider } from "./model-port.ts";

test("stopping in the middle of an answer ends the request at once and asks nobody else", async () => {
  await using server = await startLoopbackProvider([{ fault: "hang-after-text", text: "half" }]);
  const { parts, books, journal } = makeDoorWorld([providerAt(server.url), second()]);
  const stop = new AbortController();
  const { hooks } = makeHooks();
  const onText = () => stop.abort();
  const outcome = await openModelDoor(parts).callModel(
    requestOf(says("hi")),
    { ...hooks, onText },
    stop.signal,
  );
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "stopped");
  assert.deepEqual(
    books.booked.map(({ provider }) => provider),
    ["first"],
  );
  const { status } = journal.at(-1)?.detail ?? {};
  assert.equal(status, "cancelled");
});

test("stopping works with a provider that ignores it", async () => {
  const deaf: Provider = {
    ...second(),
    name: "deaf",
    stream: async function* () {
      await new Promise<void>(() => undefined);
      yield { kind: "progress" };
    },
  };
  const { parts } = makeDoorWorld([deaf]);
  const stop = new AbortController();
  const calling = openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, stop.signal);
  setImmediate(() => stop.abort());
  const outcome = await calling;
  assert.equal(outcome.ok ? "answered" : outcome.code, "stopped");
});

test("stopping during a pause asks nobody else", async () => {
  await using server = await startLoopbackProvider([{ status: 500, repeat: true }]);
  const { parts } = makeDoorWorld([providerAt(server.url), second()]);
  const stop = new AbortController();
  const wait = async () => stop.abort();
  const watched = {
    ...parts,
    wait: (ms: number, over: AbortSignal) => (ms < 10_000 ? wait() : parts.wait(ms, over)),
  };
  const outcome = await openModelDoor(watched).callModel(
    requestOf(says("hi")),
    makeHooks().hooks,
    stop.signal,
  );
  assert.equal(outcome.ok ? "answered" : outcome.code, "stopped");
  assert.equal(server.requests.length, 1);
});

test("a turn that was stopped before its call sends nothing", async () => {
  const provider = second();
  const { parts, events } = makeDoorWorld([provider]);
  const outcome = await openModelDoor(parts).callModel(
    requestOf(says("hi")),
    makeHooks().hooks,
    AbortSignal.abort(),
  );
  assert.equal(outcome.ok ? "answered" : outcome.code, "stopped");
  assert.deepEqual([provider.requests.length, events], [0, []]);
});

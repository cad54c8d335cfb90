import assert from "node:assert/strict";
import { test } from "node:test";
import {
  callWith,
  makeDoorWorld,
  makeHooks,
  makeTime,
  providerAt,
  requestOf,
  says,
  second,
} from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import type { ChosenModel } from "../../signal/chosen-model.ts";
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";

const never = new AbortController().signal;

test("an answer streams to the person and comes back whole with its usage", async () => {
  const { outcome, shown, requests } = await callWith([
    { text: ["Hel", "lo"], usage: { input: 7, output: 2 } },
  ]);
  assert.ok(outcome.ok);
  assert.deepEqual(
    [outcome.provider, outcome.text, outcome.usage, outcome.microdollars],
    ["first", "Hello", { inputTokens: 7, outputTokens: 2 }, 0],
  );
  assert.deepEqual(shown, ["text Hel", "text lo"]);
  assert.equal(requests.length, 1);
});

test("an attempt is reserved, judged, journalled on disk, sent, booked and journalled, in this order", async () => {
  const { events, journal } = await callWith([{ text: "ok" }]);
  assert.deepEqual(events, ["reserve first", "judge", "intent forced", "settle first", "outcome"]);
  assert.equal(journal[0]?.digest, journal[1]?.digest);
  assert.deepEqual(journal[0]?.detail, {
    event: "model-call",
    provider: "first",
    model: "llama3.2",
    attempt: 1,
    microdollars: 0,
    reservation: "reservation-0",
  });
});

test("equal calls have the same digest, and a call with another word or tool has another digest", async () => {
  const { parts, journal } = makeDoorWorld([second()]);
  const door = openModelDoor(parts);
  const { hooks } = makeHooks();
  const digestOf = async (request: ReturnType<typeof requestOf>): Promise<string | null | undefined> => {
    journal.length = 0;
    await door.callModel(request, hooks, never);
    return journal[0]?.digest;
  };
  const first = await digestOf(requestOf(says("hi")));
  const tool = { name: "look", description: "Looks.", parameters: {} };
  assert.match(first ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await digestOf(requestOf(says("hi"))), first);
  const others = [
    await digestOf(requestOf(says("ho"))),
    await digestOf({ ...requestOf(says("hi")), tools: [tool] }),
    await digestOf({ ...requestOf(says("hi")), system: "Another." }),
  ];
  assert.equal(new Set([first, ...others]).size, 4);
});

for (const verdict of ["block", "ask"] as const) {
  test(`a model call whose verdict is ${verdict} is not sent, and its reservation is released`, async () => {
    const provider = second();
    const world = makeDoorWorld([provider]);
    const judge = () => ({ decision: verdict, reason: "no such calls", trace: [], asks: [] });
    const door = openModelDoor({ ...world.parts, judge });
    const outcome = await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.code, provider.requests.length], ["blocked", 0]);
    assert.match(outcome.reason, /no such calls/);
    assert.deepEqual(world.books.released, ["second: blocked"]);
    assert.deepEqual(world.events, ["reserve second", "release second", "verdict"]);
  });
}

test("if the journal cannot be written, nothing is sent and the reservation is released", async () => {
  const provider = second();
  const world = makeDoorWorld([provider]);
  const journal = () => Promise.reject(new Error("the disk is full"));
  const door = openModelDoor({ ...world.parts, journal });
  await assert.rejects(door.callModel(requestOf(says("hi")), makeHooks().hooks, never), /disk is full/);
  assert.deepEqual([provider.requests.length, world.books.held.size], [0, 0]);
});

test("a route chooses a model, and can skip a provider of the cascade", async () => {
  await using server = await startLoopbackProvider([{ text: "ok" }]);
  const first = second();
  const prices = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 2_000_000 };
  const { parts } = makeDoorWorld([first, providerAt(server.url, { prices })]);
  const outcome = await openModelDoor(parts).callModel(
    {
      ...requestOf(says("hi")),
      route: { by: "hard: first", asked: [{ provider: "first", model: "big-model" }] },
    },
    makeHooks().hooks,
    never,
  );
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, outcome.model, outcome.priced], ["first", "big-model", false]);
  assert.match(server.requests[0]?.body ?? "", /"model":"big-model"/);
  assert.equal(first.requests.length, 0);
});

test("what the owner chose is asked alone, with its own model or another, and no other provider instead of it", async () => {
  const one = makeScriptedProvider(
    { name: "one", answers: [{ failure: { code: "auth" } }] },
    makeTime().wait,
  );
  const { parts } = makeDoorWorld([one, second()]);
  const door = openModelDoor({ ...parts, cascade: ["one", "second", "one"] });
  assert.deepEqual(door.cascade, ["one", "second"]);
  const ask = (chosen: ChosenModel | null) =>
    door.callModel(
      { ...requestOf(says("hi")), route: chosen === null ? null : { by: "/model", asked: [chosen] } },
      makeHooks().hooks,
      never,
    );
  const other = await ask({ provider: "second", model: "large" });
  const own = await ask({ provider: "second", model: null });
  assert.deepEqual([other.ok && other.model, own.ok && own.model], ["large", second().model]);
  const failing = await ask({ provider: "one", model: null });
  assert.ok(!failing.ok);
  assert.deepEqual(
    failing.tries.map(({ provider }) => provider),
    ["one"],
  );
  const unasked = await ask(null);
  assert.equal(unasked.ok && unasked.provider, "second");
});

test("without a provider nothing is sent, and the person is told how to set one up", async () => {
  const { parts, events } = makeDoorWorld([]);
  const door = openModelDoor({ ...parts, cascade: ["olama"] });
  const outcome = await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "no-provider");
  assert.match(outcome.reason, /olama: no provider of this name is set up.*PROVIDER_CASCADE/);
  assert.deepEqual(events, []);
});

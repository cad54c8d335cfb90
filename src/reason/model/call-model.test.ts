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
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";
import type { Provider } from "./model-port.ts";

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

test("a try is reserved, judged, journalled on disk, sent, booked and journalled, in this order", async () => {
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

test("the digest of a call is the same for the same words, and another for any other word or tool", async () => {
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

test("stopping works on a provider that does not listen to it", async () => {
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

test("a turn that is stopped already sends nothing", async () => {
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

const dear = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 2_000_000 };

test("what an answer costs is booked by the tokens that its provider counted", async () => {
  const { outcome, books } = await callWith([{ text: "ok", usage: { input: 1_000, output: 500 } }], {
    prices: dear,
  });
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.microdollars, outcome.priced], [2_000, true]);
  assert.equal(books.booked[0]?.microdollars, 2_000);
});

test("usage that cannot be is taken for unknown: it is estimated, and the turn goes on", async () => {
  for (const inputTokens of [-5, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    const usage = { inputTokens, outputTokens: 1 };
    for (const answers of [
      [{ text: "ok", usage }],
      [{ usage }, { text: "ok", usage: { inputTokens: 1, outputTokens: -1 } }],
    ]) {
      const provider: Provider = {
        ...second(),
        prices: dear,
        stream: async function* () {
          const { text = "", usage: told } = answers.shift() ?? {};
          if (text !== "") yield { kind: "text", text };
          yield { kind: "finish", finishReason: "stop", usage: told ?? null, raw: null };
        },
      };
      const world = makeDoorWorld([provider]);
      const outcome = await openModelDoor(world.parts).callModel(
        requestOf(says("hi")),
        makeHooks().hooks,
        never,
      );
      assert.ok(outcome.ok);
      assert.deepEqual([outcome.text, world.books.held.size], ["ok", 0]);
      assert.ok(outcome.usage.inputTokens > 0 && outcome.usage.outputTokens === 1);
      for (const { inputTokens: booked, microdollars } of world.books.booked)
        assert.ok(booked > 0 && booked < 10_000 && microdollars > 0);
      assert.ok(world.books.booked.length > 0);
    }
  }
});

test("a call that no budget covers is not sent, and a free provider still answers", async () => {
  await using server = await startLoopbackProvider([{ text: "dear" }]);
  const { parts, journal, events } = makeDoorWorld([providerAt(server.url, { prices: dear }), second()], 10);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, server.requests.length], ["second", 0]);
  assert.deepEqual([journal[0]?.kind, journal[0]?.verdict], ["verdict", "block"]);
  assert.deepEqual(events.slice(0, 2), ["judge", "verdict"]);
});

test("over budget everywhere is its own outcome, with what remains and what was asked for", async () => {
  const provider = makeScriptedProvider({ name: "paid", prices: dear, answers: [] }, makeTime().wait);
  const { parts } = makeDoorWorld([provider], 10);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "over-budget");
  assert.match(outcome.reason, /Budget exhausted: \$0\.0000 remaining, \$0\.00\d\d requested/);
});

test("an unpriced model is held to an upper bound, and says so", async () => {
  const provider = makeScriptedProvider(
    { prices: null, answers: [{ text: "ok", usage: { inputTokens: 1_000_000, outputTokens: 0 } }] },
    makeTime().wait,
  );
  const { parts } = makeDoorWorld([provider]);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.microdollars, outcome.priced], [15_000_000, false]);
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

test("where the journal cannot be written nothing is sent, and the reservation is released", async () => {
  const provider = second();
  const world = makeDoorWorld([provider]);
  const journal = () => Promise.reject(new Error("the disk is full"));
  const door = openModelDoor({ ...world.parts, journal });
  await assert.rejects(door.callModel(requestOf(says("hi")), makeHooks().hooks, never), /disk is full/);
  assert.deepEqual([provider.requests.length, world.books.held.size], [0, 0]);
});

test("a fault after sending books the whole reservation", async () => {
  const world = makeDoorWorld([second()]);
  const { hooks } = makeHooks();
  const onText = () => {
    throw new Error("the screen is gone");
  };
  const calling = openModelDoor(world.parts).callModel(requestOf(says("hi")), { ...hooks, onText }, never);
  await assert.rejects(calling, /screen is gone/);
  assert.equal(world.books.booked.length, 1);
  assert.equal(world.books.held.size, 0);
});

test("private words reach a local provider and no other", async () => {
  const answers = [{ failure: { code: "refused" as const } }];
  const far = makeScriptedProvider({ name: "far", local: false, answers }, makeTime().wait);
  const near = second();
  const { parts, journal } = makeDoorWorld([far, near]);
  const request = requestOf(says("my diary", "private"), says("what day is it"));
  await openModelDoor(parts).callModel(request, makeHooks().hooks, never);
  assert.deepEqual(
    far.requests[0]?.messages.map((message) => (message.role === "user" ? message.text : "")),
    ["[withheld: private]", "what day is it"],
  );
  assert.match(JSON.stringify(near.requests[0]), /my diary/);
  const labels = journal
    .filter(({ kind }) => kind === "intent")
    .map(({ effects }) => effects[0]?.label.secrecy);
  assert.deepEqual(labels, ["public", "private"]);
});

test("a secret is masked before anything leaves, to a local provider too", async () => {
  await using server = await startLoopbackProvider([{ text: "ok" }]);
  const { parts, journal } = makeDoorWorld([providerAt(server.url)]);
  const request = { ...requestOf(says("it is PASSWORD-abc")), system: "You know PASSWORD-def." };
  await openModelDoor(parts).callModel(request, makeHooks().hooks, never);
  assert.ok(!server.requests[0]?.body.includes("PASSWORD"));
  assert.ok(server.requests[0]?.body.includes("[masked: password]"));
  assert.ok(!JSON.stringify(journal).includes("PASSWORD"));
});

test("a secret that masking left over is a finding that the judge sees", async () => {
  const provider = second();
  const { parts, journal } = makeDoorWorld([provider]);
  const secrets = { ...parts.secrets, mask: (text: string) => text };
  const outcome = await openModelDoor({ ...parts, secrets }).callModel(
    requestOf(says("PASSWORD-abc")),
    makeHooks().hooks,
    never,
  );
  assert.equal(outcome.ok ? "answered" : outcome.code, "blocked");
  assert.deepEqual(journal[0]?.facts?.findings, [
    { rule: "password", where: "messages/0/text", effectIndex: 0 },
  ]);
  assert.equal(provider.requests.length, 0);
});

test("a key is in no message, no journal record and no other provider's request", async () => {
  const apiKey = "sk-very-secret-key-1";
  await using other = await startLoopbackProvider([{ status: 500, repeat: true }]);
  await using server = await startLoopbackProvider([
    { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey}` } }) },
  ]);
  const { parts, journal } = makeDoorWorld([
    providerAt(server.url, { apiKey }),
    providerAt(other.url, { name: "other", kind: "openai-compatible" }),
  ]);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  const { authorization } = server.requests[0]?.headers ?? {};
  assert.equal(authorization, `Bearer ${apiKey}`);
  assert.ok(!JSON.stringify([outcome, journal, other.requests]).includes(apiKey));
  assert.match(JSON.stringify(outcome), /Incorrect API key provided: \[key\]/);
});

test("a model selector chooses a model, and skips a provider", async () => {
  await using server = await startLoopbackProvider([{ text: "ok" }]);
  const first = second();
  const { parts } = makeDoorWorld([first, providerAt(server.url, { prices: dear })]);
  const selector = (name: string) => (name === "second" ? "skip" : "big-model");
  const outcome = await openModelDoor({ ...parts, selector }).callModel(
    requestOf(says("hi")),
    makeHooks().hooks,
    never,
  );
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, outcome.model, outcome.priced], ["first", "big-model", false]);
  assert.match(server.requests[0]?.body ?? "", /"model":"big-model"/);
  assert.equal(first.requests.length, 0);
});

test("the cascade can be changed while it runs, and a turn under way keeps its own", async () => {
  const one = makeScriptedProvider({ name: "one", answers: [{ text: "1", repeat: true }] }, makeTime().wait);
  const { parts } = makeDoorWorld([one, second()]);
  const door = openModelDoor(parts);
  const own = door.cascade();
  assert.deepEqual(door.setCascade(["second", "third", "second"]), ["third"]);
  assert.deepEqual(door.cascade(), ["second", "third"]);
  const request = requestOf(says("hi"));
  const fresh = await door.callModel(request, makeHooks().hooks, never);
  const underWay = await door.callModel({ ...request, cascade: own }, makeHooks().hooks, never);
  assert.deepEqual([fresh.ok && fresh.provider, underWay.ok && underWay.provider], ["second", "one"]);
});

test("without a provider nothing is tried, and the person is told how to set one up", async () => {
  const { parts, events } = makeDoorWorld([]);
  const door = openModelDoor({ ...parts, cascade: ["olama"] });
  const outcome = await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "no-provider");
  assert.match(outcome.reason, /olama: no provider of this name is set up.*PROVIDER_CASCADE/);
  assert.deepEqual(events, []);
});

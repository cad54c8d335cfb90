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
import type { Prices, Provider } from "./model-port.ts";

const never = new AbortController().signal;

const dear = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 2_000_000 };

const pricedAt =
  (prices: Prices): Provider["recordOf"] =>
  async (model) => ({ ...(await second().recordOf(model)), prices });

test("the cost of an answer is booked by the tokens that its provider reports", async () => {
  const { outcome, books } = await callWith([{ text: "ok", usage: { input: 1_000, output: 500 } }], {
    prices: dear,
  });
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.microdollars, outcome.priced], [2_000, true]);
  assert.equal(books.booked[0]?.microdollars, 2_000);
});

test("a reservation names where the price comes from", async () => {
  for (const price of [
    { from: "table", day: "2026-09-23" } as const,
    { from: "assumption", day: null } as const,
  ]) {
    const provider: Provider = {
      ...second(),
      recordOf: async (model) => {
        const record = await second().recordOf(model);
        return { ...record, origin: { ...record.origin, prices: price } };
      },
    };
    const { parts } = makeDoorWorld([provider]);
    const named: unknown[] = [];
    const reserve: typeof parts.ledger.reserve = (wanted) => {
      named.push(wanted.price);
      return parts.ledger.reserve(wanted);
    };
    const door = openModelDoor({ ...parts, ledger: { ...parts.ledger, reserve } });
    assert.equal((await door.callModel(requestOf(says("hi")), makeHooks().hooks, never)).ok, true);
    assert.deepEqual(named, [price]);
  }
});

test("implausible usage is replaced by an estimate, and the turn goes on", async () => {
  for (const inputTokens of [-5, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    const usage = { inputTokens, outputTokens: 1 };
    for (const answers of [
      [{ text: "ok", usage }],
      [{ usage }, { text: "ok", usage: { inputTokens: 1, outputTokens: -1 } }],
    ]) {
      const provider: Provider = {
        ...second(),
        recordOf: pricedAt(dear),
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

test("where the budget covers a shorter answer, that is asked for; where it covers none of use, nothing is sent", async () => {
  const prices = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 10_000_000 };
  for (const [cap, least] of [
    [50_000, 4_000],
    [10_000, null],
  ] as const) {
    await using server = await startLoopbackProvider([{ text: "ok", usage: { input: 10, output: 10 } }]);
    const setting = { prices, contextWindow: 128_000 };
    const world = makeDoorWorld([providerAt(server.url, { ...setting, maxOutputTokens: 16_384 })], cap);
    const request = { ...requestOf(says("hi")), maxOutputTokens: null };
    const outcome = await openModelDoor(world.parts).callModel(request, makeHooks().hooks, never);
    const asked = Number(/"max_tokens":(\d+)/.exec(server.requests[0]?.body ?? "")?.[1]);
    if (least === null)
      assert.ok(!outcome.ok && outcome.code === "over-budget" && server.requests.length === 0);
    else assert.ok(outcome.ok && asked > least && asked * 10 <= cap, `${asked} tokens`);
  }
});

test("a call that is refused at a price that nobody knows says so, and names the settings that correct it", async () => {
  const provider = makeScriptedProvider({ name: "my-box", prices: null, answers: [] }, makeTime().wait);
  const { parts } = makeDoorWorld([provider], 10);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.match(
    outcome.ok ? "" : outcome.reason,
    /not known and assumed to be high: set MY_BOX_INPUT_PRICE and MY_BOX_OUTPUT_PRICE/,
  );
});

test("a model whose price nobody knows is not asked unless the owner says so, and the next provider is", async () => {
  const unpriced = makeScriptedProvider(
    { name: "my-box", prices: null, answers: [{ text: "no" }] },
    makeTime().wait,
  );
  const priced = makeScriptedProvider(
    { name: "second", prices: dear, answers: [{ text: "yes" }] },
    makeTime().wait,
  );
  for (const [providers, answer] of [
    [[unpriced, priced], "yes"],
    [
      [unpriced],
      /^my-box: Nobody knows what the model \S+ costs: set MY_BOX_INPUT_PRICE and MY_BOX_OUTPUT_PRICE .* or UNPRICED_MODELS=allow\.$/,
    ],
  ] as const) {
    const { parts } = makeDoorWorld(providers);
    const door = openModelDoor({ ...parts, unpricedModels: "refuse" });
    const outcome = await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
    if (typeof answer === "string") assert.ok(outcome.ok && outcome.text === answer);
    else {
      assert.ok(!outcome.ok && outcome.code === "over-budget");
      assert.match(outcome.reason, answer);
    }
  }
});

test("where the budget holds no model of the cascade, the cheaper model of a provider is asked, and only then", async () => {
  await using server = await startLoopbackProvider([{ text: "cheaply" }, { text: "dearly" }]);
  const expensive = { inputMicrodollarsPerMillion: 1e9, outputMicrodollarsPerMillion: 1e9 };
  const cheap = { inputMicrodollarsPerMillion: 1, outputMicrodollarsPerMillion: 1 };
  const provider = providerAt(server.url, { model: "large", cheaperModel: "small" });
  const priced = {
    ...provider,
    recordOf: async (model: string) => ({
      ...(await provider.recordOf(model)),
      prices: model === "small" ? cheap : expensive,
    }),
  };
  for (const [cap, model, text] of [
    [1000, "small", "cheaply"],
    [1e12, "large", "dearly"],
  ] as const) {
    const { parts } = makeDoorWorld([priced], cap);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.reason);
    assert.deepEqual([outcome.model, outcome.text], [model, text]);
  }
  const { parts } = makeDoorWorld([priced], 0);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(!outcome.ok && outcome.code === "over-budget");
  assert.equal(server.requests.length, 2);
});

test("a call over the budget of every provider has an outcome of its own, with the remaining and the requested amount", async () => {
  const provider = makeScriptedProvider({ name: "paid", prices: dear, answers: [] }, makeTime().wait);
  const { parts } = makeDoorWorld([provider], 10);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "over-budget");
  assert.match(outcome.reason, /Budget exhausted: \$0\.0000 remaining, \$0\.00\d\d requested/);
});

test("a model without known prices is booked at an upper bound, and the answer says so", async () => {
  const provider = makeScriptedProvider(
    { prices: null, answers: [{ text: "ok", usage: { inputTokens: 1_000_000, outputTokens: 0 } }] },
    makeTime().wait,
  );
  const { parts } = makeDoorWorld([provider]);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.microdollars, outcome.priced], [15_000_075, false]);
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

for (const sentUsage of [
  {},
  { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  { prompt_tokens: 40 },
  { completion_tokens: 9 },
  { prompt_tokens: null, completion_tokens: null },
  { total_tokens: 3 },
]) {
  test(`a provider that counts ${JSON.stringify(sentUsage)} is not free: what it did not count is estimated`, async () => {
    await using server = await startLoopbackProvider([{ text: "a whole answer of some words", sentUsage }]);
    const provider = { ...providerAt(server.url, { kind: "openai-compatible" }), recordOf: pricedAt(dear) };
    const world = makeDoorWorld([provider]);
    const outcome = await openModelDoor(world.parts).callModel(
      requestOf(says("a question of some words")),
      makeHooks().hooks,
      never,
    );
    assert.ok(outcome.ok);
    const { inputTokens, outputTokens } = outcome.usage;
    assert.ok(inputTokens >= 30 && outputTokens >= 7, JSON.stringify(outcome.usage));
    assert.equal(world.books.booked[0]?.microdollars, outcome.microdollars);
    assert.ok(outcome.microdollars > 0);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld } from "../../../test/door-world.ts";
import { bottomLabel } from "../../signal/label.ts";
import { type EmbedAnswer, type Embedder, embed } from "./embed.ts";

const origin = { person: "nobody", source: "system", session: "vectors", startedBy: "nobody" } as const;
const never = new AbortController().signal;

/** The door over an embedder that answers so, by default with a vector a text; what it was sent is written down. */
function makeWorld(
  answer: (texts: readonly string[], cancel: AbortSignal) => EmbedAnswer | Promise<EmbedAnswer> = (
    texts,
  ) => ({
    ok: true,
    vectors: texts.map(() => Float32Array.of(1, 2)),
    tokens: 3,
  }),
  { local = false, cap = Number.POSITIVE_INFINITY } = {},
) {
  const world = makeDoorWorld([], cap);
  const sent: string[][] = [];
  const prices = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 0 };
  const embedder: Embedder = {
    name: "e",
    local,
    model: "m",
    prices: async () => ({ prices, price: { from: "setting", day: null } }),
    async embed(texts, _reserved, cancel) {
      world.events.push("send");
      sent.push([...texts]);
      return answer(texts, cancel);
    },
  };
  const parts = {
    ...world.parts,
    embedder,
    facts: () => world.parts.facts({ turn: "", origin, provider: "e", model: "m", findings: [] }),
  };
  const ask = (...texts: (readonly [text: string, secrecy: "public" | "private" | "secret"])[]) =>
    embed(
      parts,
      {
        origin,
        texts: texts.map(([text, secrecy]) => ({ text, label: { ...bottomLabel, secrecy } })),
        timeoutMs: 50,
      },
      never,
    );
  return { ...world, sent, ask };
}

test("the steps before a request are done in order, and its cost is booked after it", async () => {
  const world = makeWorld();
  const outcome = await world.ask(["hello", "public"]);
  assert.deepEqual(outcome, { ok: true, vectors: [Float32Array.of(1, 2)] });
  assert.deepEqual(world.events, ["reserve e", "judge", "intent forced", "send", "settle e", "outcome"]);
  assert.deepEqual(world.books.booked, [{ provider: "e", inputTokens: 3, outputTokens: 0, microdollars: 3 }]);
});

test("a text that an embedder may not see is in no request and has no vector; the other texts keep their order", async () => {
  const texts = [
    ["one", "private"],
    ["two", "public"],
    ["three", "secret"],
    ["four", "public"],
  ] as const;
  const far = makeWorld();
  const outcome = await far.ask(...texts);
  assert.deepEqual(far.sent, [["two", "four"]]);
  assert.deepEqual(outcome.ok && outcome.vectors.map((vector) => vector !== null), [
    false,
    true,
    false,
    true,
  ]);
  const near = makeWorld(undefined, { local: true });
  await near.ask(...texts);
  assert.deepEqual(near.sent, [["one", "two", "four"]]);
  const none = makeWorld();
  assert.deepEqual(await none.ask(["one", "private"]), { ok: true, vectors: [null] });
  assert.deepEqual(none.events, []);
});

test("text that looks like a secret is masked", async () => {
  const world = makeWorld();
  await world.ask(["it is PASSWORD-abc", "public"]);
  assert.deepEqual(world.sent, [["it is [masked: password]"]]);
  assert.doesNotMatch(JSON.stringify(world.journal), /it is|abc/);
});

test("over the budget nothing is sent, and the verdict is in the journal", async () => {
  const world = makeWorld(undefined, { cap: 1 });
  const outcome = await world.ask(["a long enough text", "public"]);
  assert.equal(!outcome.ok && outcome.code, "over-budget");
  assert.deepEqual(world.events, ["judge", "verdict"]);
});

const answers: readonly [why: string, answer: EmbedAnswer][] = [
  ["fewer vectors than texts", { ok: true, vectors: [], tokens: 1 }],
  ["a vector without a component", { ok: true, vectors: [new Float32Array()], tokens: 1 }],
  ["a vector that is no number", { ok: true, vectors: [Float32Array.of(1, Number.NaN)], tokens: 1 }],
];
for (const [why, answer] of answers) {
  test(`${why} is a failure, and is paid for`, async () => {
    const world = makeWorld(() => answer);
    const outcome = await world.ask(["hello", "public"]);
    assert.equal(!outcome.ok && outcome.code, "malformed");
    assert.equal(world.books.held.size, 0);
    assert.equal(world.books.booked.length, 1);
  });
}

test("an embedder that does not answer in time is cancelled, and nothing stays reserved", async () => {
  const world = makeWorld(
    (_, cancel) =>
      new Promise((resolve) => {
        const failure = {
          code: "cancelled",
          message: "stopped",
          retryAfterMs: null,
          begun: false,
          usage: null,
        } as const;
        // A timer of AbortSignal.timeout alone keeps no process alive.
        const alive = setInterval(() => undefined, 1000);
        cancel.addEventListener("abort", () => {
          clearInterval(alive);
          resolve({ ok: false, failure });
        });
      }),
  );
  const outcome = await world.ask(["hello", "public"]);
  assert.equal(!outcome.ok && outcome.code, "timeout");
  assert.equal(world.books.held.size, 0);
});

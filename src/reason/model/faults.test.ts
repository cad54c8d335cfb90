import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  callWith,
  makeDoorWorld,
  makeHooks,
  providerAt,
  requestOf,
  says,
  second,
} from "../../../test/door-world.ts";
import { refusingUrl, type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { openModelDoor } from "./call-model.ts";
import type { Provider } from "./model-port.ts";

const never = new AbortController().signal;
const chatBody = z.object({ messages: z.array(z.unknown()) });

test("after a refused connection the next provider is asked at once, and nothing is booked", async () => {
  const world = makeDoorWorld([providerAt(await refusingUrl()), second()]);
  const outcome = await openModelDoor(world.parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.equal(outcome.provider, "second");
  assert.deepEqual(
    outcome.tries.map(({ code, attempt }) => [code, attempt]),
    [["refused", 1]],
  );
  assert.deepEqual(world.time.pauses, []);
  assert.deepEqual(world.books.released, ["first: refused"]);
});

for (const status of [429, 500, 503, 529]) {
  test(`status ${status} is tried four times with growing pauses, then the next provider is asked`, async () => {
    const { outcome, requests, time, books } = await callWith([{ status, repeat: true }]);
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.provider, requests.length], ["second", 4]);
    assert.deepEqual(time.pauses, [500, 1_000, 2_000]);
    assert.equal(books.released.length, 4);
    assert.equal(books.held.size, 0);
  });
}

test("a Retry-After of at most ten seconds is respected", async () => {
  const { outcome, requests, time } = await callWith([
    { status: 429, headers: { "retry-after": "9" } },
    { text: "later" },
  ]);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.text, requests.length, time.pauses], ["later", 2, [9_000]]);
});

test("after a Retry-After of more than ten seconds the next provider is asked at once", async () => {
  const { outcome, requests, time } = await callWith([
    { status: 429, headers: { "retry-after": "11" }, repeat: true },
  ]);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, requests.length, time.pauses], ["second", 1, []]);
});

const broken: readonly [string, Step, string][] = [
  ["a web page", { fault: "html" }, "malformed"],
  ["broken JSON in the stream", { fault: "malformed", text: "a" }, "malformed"],
  ["JSON in place of a stream", { fault: "json" }, "malformed"],
  ["nothing at all", { fault: "nothing" }, "empty"],
  ["an answer without words", { text: "" }, "empty"],
  ["blank space", { text: " \n" }, "empty"],
  ["a stream that ends too early", { fault: "cut-off", text: "a" }, "cut-off"],
  ["a connection that breaks off in mid-stream", { fault: "break-off", text: "a" }, "cut-off"],
  ["a connection that closes without a word", { fault: "reset" }, "cut-off"],
];
for (const [what, step, code] of broken) {
  test(`${what} is tried twice, then the next provider is asked`, async () => {
    const { outcome, requests, books } = await callWith([{ ...step, repeat: true }]);
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.provider, requests.length], ["second", 2]);
    assert.deepEqual(
      outcome.tries.map((tried) => tried.code),
      [code, code],
    );
    assert.equal(books.held.size, 0);
  });
}

for (const status of [400, 401, 403, 404, 422]) {
  test(`status ${status} means the next provider at once`, async () => {
    const { outcome, requests } = await callWith([{ status, repeat: true }]);
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.provider, requests.length], ["second", 1]);
  });
}

test("text that was shown before a stream broke is withdrawn", async () => {
  const { shown } = await callWith([{ fault: "break-off", text: "half" }, { text: "whole" }]);
  assert.deepEqual(shown, ["text half", "reset first: the answer broke off before its end", "text whole"]);
});

test("a failed attempt that had started is booked on its provider", async () => {
  const { books } = await callWith([{ fault: "break-off", text: "half", repeat: true }]);
  assert.deepEqual(
    books.booked.map(({ provider }) => provider),
    ["first", "first", "second"],
  );
  assert.ok(books.booked.every(({ inputTokens }) => inputTokens > 0));
  assert.deepEqual(books.released, ["first: cut-off", "first: cut-off"], "and counts as failed there");
});

test("an error in the stream is treated like the status that it names", async () => {
  const { outcome, requests } = await callWith([{ fault: "error-in-stream", text: "a", repeat: true }]);
  assert.ok(outcome.ok);
  assert.deepEqual(
    [outcome.provider, requests.length, outcome.tries[0]?.code],
    ["second", 4, "server-error"],
  );
});

const tooLong: Step = { status: 400, body: '{"error":{"message":"maximum context length exceeded"}}' };

test("a prompt that is too long loses its oldest history and is sent once more", async () => {
  await using server = await startLoopbackProvider([tooLong, { text: "fits" }]);
  const { parts } = makeDoorWorld([providerAt(server.url)]);
  const history = Array.from({ length: 20 }, (_, index) => says(`message ${index} ${"x".repeat(200)}`));
  const request = requestOf(...history, says("the last words"));
  const outcome = await openModelDoor(parts).callModel(request, makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.equal(outcome.text, "fits");
  const [long, short] = server.requests;
  assert.ok(long && short && short.bytes < long.bytes * 0.6);
  assert.ok(short.body.includes("You are an agent.") && short.body.includes("the last words"));
  assert.ok(!short.body.includes("message 0 ") && short.body.includes("message 19 "));
});

test("a prompt that stays too long is halved until nothing is left to leave out", async () => {
  await using server = await startLoopbackProvider([{ ...tooLong, repeat: true }]);
  const { parts } = makeDoorWorld([providerAt(server.url)]);
  const history = Array.from({ length: 20 }, () => says("x".repeat(200)));
  const outcome = await openModelDoor(parts).callModel(requestOf(...history), makeHooks().hooks, never);
  assert.equal(outcome.ok, false);
  assert.ok(server.requests.length > 2 && server.requests.length < 8);
  const last = chatBody.parse(JSON.parse(server.requests.at(-1)?.body ?? ""));
  assert.equal(last.messages.length, 2, "the system text and the words of the turn");
});

test("a prompt that is too long and cannot be shortened goes to the next provider", async () => {
  const { outcome, requests } = await callWith([{ ...tooLong, repeat: true }]);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, requests.length], ["second", 1]);
});

test("the person is told of silence after 10 s, and after 60 s the next provider is asked", async () => {
  await using server = await startLoopbackProvider([{ fault: "hang", repeat: true }]);
  const { parts, time, books } = makeDoorWorld([providerAt(server.url), second()]);
  const { hooks, shown } = makeHooks();
  const calling = openModelDoor(parts).callModel(requestOf(says("hi")), hooks, never);
  await server.reached(1);
  await time.elapse();
  await time.elapse();
  const outcome = await calling;
  assert.ok(outcome.ok);
  assert.equal(time.clock(), 1_060_000);
  assert.deepEqual(shown, [
    "notice first has said nothing for 10 s; waiting 50 s more.",
    "text from the second",
  ]);
  assert.deepEqual([outcome.tries[0]?.code, outcome.tries[0]?.message], ["timeout", "said nothing for 60 s"]);
  assert.equal(server.requests.length, 1);
  assert.equal(books.booked[0]?.provider, "first");
});

test("silence in the middle of an answer ends it, and its text is withdrawn", async () => {
  await using server = await startLoopbackProvider([{ fault: "hang-after-text", text: "half" }]);
  const { parts, time } = makeDoorWorld([providerAt(server.url), second()]);
  const { hooks, shown } = makeHooks();
  const begun = Promise.withResolvers<void>();
  const onText = (delta: string) => {
    hooks.onText(delta);
    begun.resolve();
  };
  const calling = openModelDoor(parts).callModel(requestOf(says("hi")), { ...hooks, onText }, never);
  await begun.promise;
  await time.elapse();
  await time.elapse();
  const outcome = await calling;
  assert.ok(outcome.ok);
  assert.equal(outcome.provider, "second");
  assert.deepEqual(shown.slice(2), ["reset first: said nothing more for 30 s", "text from the second"]);
});

test("the whole cascade ends after 120 s and states what each provider did", async () => {
  await using server = await startLoopbackProvider([{ fault: "hang", repeat: true }]);
  const names = ["one", "two", "three"];
  const { parts, time } = makeDoorWorld(names.map((name) => providerAt(server.url, { name })));
  const calling = openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  for (const count of [1, 2, 3]) {
    await server.reached(count);
    await time.elapse();
    await time.elapse();
  }
  const outcome = await calling;
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "exhausted");
  assert.equal(time.clock(), 1_120_000);
  assert.equal(server.requests.length, 3);
  assert.match(
    outcome.reason,
    /No provider could answer\. one: said nothing for 40 s, its share of the time for all providers\. two: .* three: .*Try again later/,
  );
});

test("a pause that would outlast the cascade's time is not started", async () => {
  const later = (seconds: string): Step => ({ status: 429, headers: { "retry-after": seconds } });
  await using server = await startLoopbackProvider([later("9"), later("10"), { text: "too late" }]);
  const { parts, time } = makeDoorWorld([providerAt(server.url)]);
  const door = openModelDoor({ ...parts, timeouts: { ...parts.timeouts, cascadeMs: 19_000 } });
  const outcome = await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.equal(outcome.ok, false);
  assert.deepEqual([server.requests.length, time.pauses], [2, [9_000]]);
});

test("an answer that arrives slowly is no silence", async () => {
  const { outcome, shown } = await callWith([{ text: ["a", "b", "c"], pauseMs: 5 }]);
  assert.ok(outcome.ok);
  assert.deepEqual(shown, ["text a", "text b", "text c"]);
});

test("a provider that throws is a failed attempt and no crash", async () => {
  const throwing: Provider = {
    ...second(),
    name: "throwing",
    stream: async function* () {
      yield { kind: "progress" };
      throw new TypeError("cannot read x");
    },
  };
  const { parts } = makeDoorWorld([throwing, second()]);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.tries.map(({ code }) => code),
    ["malformed", "malformed"],
  );
});

for (const part of [
  { kind: "text", text: "abcdefghij klmnopqrs" },
  { kind: "thinking", text: "" },
  { kind: "progress" },
  { kind: "text", text: "x".repeat(100_000) },
] as const) {
  test(`an answer of ever more parts (${JSON.stringify(part).slice(0, 60)}) is given up by its size, is not asked for again, and the next provider answers`, async () => {
    const pulled = { count: 0, closed: 0 };
    const endless: Provider = {
      ...second(),
      name: "endless",
      stream: async function* () {
        try {
          for (;;) {
            pulled.count += 1;
            yield part;
          }
        } finally {
          pulled.closed += 1;
        }
      },
    };
    const { parts } = makeDoorWorld([endless, second()]);
    const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
    assert.ok(outcome.ok && outcome.text === "from the second");
    assert.deepEqual(
      outcome.tries.map(({ code }) => code),
      ["bad-request"],
    );
    assert.ok(pulled.count <= 1_000 * 8 + 1024 + 2, `${pulled.count} parts for 1,000 tokens`);
    assert.equal(pulled.closed, 1);
  });
}

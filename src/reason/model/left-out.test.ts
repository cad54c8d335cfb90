import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { openModelDoor } from "./call-model.ts";
import { describePart, without } from "./left-out.ts";
import { answer, attached, callOf, failedResultOf, resultOf } from "./past-messages.fixture.ts";

const secret = { ...bottomLabel, secrecy: "private" } as const;

test("what is left out is told without words that are not public, and without what the program told", () => {
  const told: Message = { role: "user", text: "the codeword", label: bottomLabel, told: true };
  const parts: readonly Message[] = [
    says("the codeword", "private"),
    told,
    answer("the codeword", { label: secret }),
    { ...callOf("c1", "a", "the codeword"), label: secret },
    { ...attached("image/png"), label: secret },
    { ...attached("application/pdf"), label: secret },
  ];
  const described = parts.map((_, at) => describePart({ messages: parts }, { at, out: "all" }));
  assert.deepEqual(described, [
    "private words",
    "what the program told",
    "a private answer",
    "a private answer",
    "a private picture",
    "a private file",
  ]);
  const thinking = describePart({ messages: parts }, { at: 2, out: "extras" });
  assert.equal(thinking, "the thinking behind a private answer");
  assert.equal(describePart({ messages: [says("hi")] }, { at: 0, out: "all" }), 'the words "hi"');
});

test("the result of a call that failed stays a failure without its words", () => {
  const left = without(failedResultOf("c1", "the codeword"), "all");
  assert.ok(left.role === "result" && left.result.outcome.status === "error");
  assert.equal(left.result.outcome.code, "not-found");
  assert.doesNotMatch(JSON.stringify(left), /codeword/);
});

test("what is refused of a message that was shortened is known in later turns by the message itself, and noted once", async () => {
  const refused: number[] = [];
  await using server = await startLoopbackProvider([], {
    answer: (body) => {
      const why = body.length > 9_000 ? "prompt is too long" : /POISON/.test(body) ? "bad request" : null;
      if (why !== null) refused.push(body.length);
      return why === null
        ? { text: "ok" }
        : { status: 400, body: JSON.stringify({ error: { message: why } }) };
    },
  });
  const world = makeDoorWorld([providerAt(server.url, { kind: "openai-compatible", model: "m" })]);
  const turn = [says("a"), callOf("c1"), resultOf("c1", `POISON${"y".repeat(9_000)}`)];
  const request = { ...requestOf(...turn), keepLast: turn.length };
  for (const at of [1, 2, 3]) {
    const outcome = await openModelDoor(world.parts).callModel(
      request,
      makeHooks().hooks,
      new AbortController().signal,
    );
    assert.ok(outcome.ok, JSON.stringify(outcome));
    if (at === 1) refused.length = 0;
  }
  assert.deepEqual(refused, []);
  assert.equal((await world.parts.refusals.all()).length, 1);
});

test("what two calls at once find out is noted once", async () => {
  await using server = await startLoopbackProvider([], {
    answer: (body) =>
      /POISON/.test(body) ? { status: 400, body: '{"error":{"message":"bad request"}}' } : { text: "ok" },
  });
  const world = makeDoorWorld([providerAt(server.url, { kind: "openai-compatible", model: "m" })]);
  const door = openModelDoor(world.parts);
  const request = requestOf(says("POISON"), answer("D"), says("and now?"));
  const ask = () => door.callModel(request, makeHooks().hooks, new AbortController().signal);
  const outcomes = await Promise.all([ask(), ask(), ask()]);
  assert.ok(outcomes.every(({ ok }) => ok));
  assert.equal((await world.parts.refusals.all()).length, 1);
});

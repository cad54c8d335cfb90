import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { openModelDoor } from "./call-model.ts";
import { digestOfMessage } from "./left-out.ts";
import { steps } from "./poisons.fixture.ts";

const refusal = (status: number, message: string): Step => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

type Answering = (seen: {
  readonly body: string;
  /** Whether the request only asks whether it is taken. */
  readonly isProbe: boolean;
  readonly count: number;
  readonly stop: () => void;
}) => Step;

const poison = says("POISON");

/** One call with a past, and what the door remembers of it. */
async function ask(answering: Answering) {
  const stop = new AbortController();
  let [count, probes] = [0, 0];
  await using server = await startLoopbackProvider([], {
    answer: (body) => {
      const isProbe = /"max_tokens":16\b/.test(body);
      count += 1;
      if (isProbe) probes += 1;
      return answering({ body, isProbe, count: isProbe ? probes : count - probes, stop: () => stop.abort() });
    },
  });
  const world = makeDoorWorld([providerAt(server.url, { kind: "openai-compatible", model: "m" })]);
  const { hooks, shown } = makeHooks();
  const door = openModelDoor(world.parts);
  const request = requestOf(...steps, poison, ...steps.slice(1), says("and now?"));
  const outcome = await door.callModel(request, hooks, stop.signal);
  const refused = await world.parts.refusals.all();
  return { outcome, refused, shown };
}

for (const [what, step] of [
  ["too many requests", { ...refusal(429, "slow down"), headers: { "retry-after": "60" } }],
  ["an overload", refusal(503, "overloaded")],
  ["a key that ran out", refusal(401, "the key ran out")],
  ["a broken connection", { fault: "reset" }],
  ["an answer that is none", { fault: "html" }],
] satisfies readonly (readonly [string, Step])[])
  test(`${what} within the search for what is refused lays no blame on a message`, async () => {
    for (const at of [1, 2, 3]) {
      const { refused, shown } = await ask(({ body, isProbe, count }) => {
        if (isProbe && count === at) return step;
        return body.includes("POISON") ? refusal(400, "bad request") : { text: "ok" };
      });
      assert.deepEqual(refused, []);
      assert.doesNotMatch(shown.join("\n"), /left out of what/);
    }
  });

for (const count of [4, 5, 6, 7, 8])
  test(`a fault of a server that passes after ${count} requests lays no blame on the conversation`, async () => {
    let seen = 0;
    const { outcome, refused, shown } = await ask(() => {
      seen += 1;
      return seen <= count ? refusal(500, "internal") : { text: "ok" };
    });
    assert.equal(outcome.ok, count <= 6, JSON.stringify(outcome));
    assert.deepEqual(refused, []);
    assert.doesNotMatch(shown.join("\n"), /left out of what/);
  });

const flagged = refusal(403, "Your input was flagged by moderation");
for (const [what, step, most] of [
  ["an answer of nothing", { text: "" }, 4],
  ["a filter", flagged, 3],
] satisfies readonly (readonly [string, Step, number])[])
  test(`${what} that passes lays no blame on the conversation, and one that stays ends the search`, async () => {
    for (const count of [1, 2, 3, 4, 5, 6, 1_000]) {
      let seen = 0;
      const { outcome, refused, shown } = await ask(() => {
        seen += 1;
        return seen <= count ? step : { text: "ok" };
      });
      assert.deepEqual(refused, [], `${count} times`);
      assert.doesNotMatch(shown.join("\n"), /left out of what/);
      assert.equal(outcome.ok, count < most, `${count} times: ${JSON.stringify(outcome)}`);
      assert.ok(seen <= 20, `${seen} requests`);
    }
  });

for (const status of [401, 403])
  test(`a key that is refused with ${status} is not searched for in the conversation`, async () => {
    let seen = 0;
    const { outcome, refused } = await ask(() => {
      seen += 1;
      return refusal(status, "the key is not valid");
    });
    assert.deepEqual([outcome.ok, refused, seen], [false, [], 1]);
  });

test("a fault of a server within the search for another one lays no blame on a message", async () => {
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const { refused } = await ask(({ body, isProbe, count }) =>
      (isProbe && count === at) || body.includes("POISON") ? refusal(500, "internal") : { text: "ok" },
    );
    const others = refused.filter(({ message }) => message !== digestOfMessage(poison));
    assert.deepEqual(others, [], `at probe ${at}`);
  }
});

test("a search that the person stops lays no blame on a message", async () => {
  const { refused } = await ask(({ isProbe, stop }) => {
    if (isProbe) stop();
    return isProbe ? { fault: "hang" } : refusal(400, "bad request");
  });
  assert.deepEqual(refused, []);
});

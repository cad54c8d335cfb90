import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, makeTime, requestOf, says } from "../../../test/door-world.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { describeBreaks } from "../../signal/sent-prefix.ts";
import { consensusRoute } from "../../signal/spending.ts";
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";
import type { ModelCallRequest } from "./model-call.ts";
import { answer, callOf, resultOf } from "./past-messages.fixture.ts";

const told: Message = { role: "user", text: "it is noon", label: bottomLabel, told: true };
const first = [says("read a"), told, callOf("c1"), resultOf("c1", "t")];
const asked = requestOf(...first);
const [tool] = asked.tools;
assert.ok(tool);

/** What is named as broken by each of some requests of one session, the first of which is `asked`. */
async function breaksOf(...requests: readonly Partial<ModelCallRequest>[]): Promise<readonly string[]> {
  const make = (name: string) =>
    makeScriptedProvider(
      {
        name,
        answers: [
          {
            text: "ok",
            usage: { inputTokens: 900, outputTokens: 1, cacheReadTokens: 300 },
            repeat: true,
          },
        ],
      },
      makeTime().wait,
    );
  const { parts, events } = makeDoorWorld([make("first"), make("second")]);
  const named: string[] = [];
  let known = 0;
  for (const request of [{}, ...requests]) {
    const outcome = await openModelDoor(parts).callModel(
      { ...asked, ...request },
      makeHooks().hooks,
      new AbortController().signal,
    );
    assert.ok(outcome.ok);
    const breaks = await parts.sentPrefixes.breaks(0);
    const fresh = breaks.slice(known).flatMap(({ differs }) => differs);
    known = breaks.length;
    named.push(fresh.map(({ part, what }) => `${part}: ${what}`).join(" | "));
  }
  assert.deepEqual(
    events.filter((event) => event.startsWith("report")),
    [],
  );
  assert.equal(named[0], "");
  return named.slice(1);
}

const route = (by: string, provider: string) => ({
  by,
  asked: [{ provider, model: null }],
  isPrivate: false,
});

test("a request that goes on from what its session sent breaks nothing, whatever is added behind it", async () => {
  const more = [...first, answer("done"), says("and now?"), told];
  assert.deepEqual(await breaksOf({}, { messages: more }, { messages: [...more, answer("x")] }), [
    "",
    "",
    "",
  ]);
});

test("each break is named by what differs from what was sent: model, tools, instructions, messages", async () => {
  const other = { ...tool, name: "liar__echo" };
  const otherWords = { ...tool, description: "Reads it." };
  const system = "You are an agent.\n\nCONFIG: Passepartout 1.\n\nHOW TO ACT: so";
  assert.deepEqual(
    await breaksOf(
      { route: route("rule", "second") },
      { route: route("rule", "second"), tools: [tool, other] },
      { route: route("rule", "second"), tools: [otherWords] },
      { system },
      { system: system.replace("Passepartout 1", "Passepartout 2") },
    ),
    [
      "model: first/script became second/script",
      "tools: new: liar__echo",
      "tools: gone: liar__echo; changed: read-file",
      "model: second/script became first/script | tools: changed: read-file | instructions: new: CONFIG, HOW TO ACT",
      "instructions: changed: CONFIG",
    ],
  );
  const [words, , call, result] = first;
  assert.ok(words && call && result);
  assert.deepEqual(
    await breaksOf(
      { messages: [words, call, result] },
      { messages: [words, call, resultOf("c1", "[shortened]"), says("x")] },
      { messages: [words, told, call, resultOf("c1", "[shortened]"), says("x")] },
      { messages: [words] },
    ),
    [
      "messages: message 2 of 4, what the program told, was left out",
      "messages: message 3 of 3, a result, was changed",
      "messages: what the program told came before message 2 of 4, an answer",
      "messages: message 2 of 5, what the program told, was left out",
    ],
  );
});

test("an answer that is only compared with another breaks nothing", async () => {
  assert.deepEqual(await breaksOf({ route: route(consensusRoute, "second") }, {}), ["", ""]);
});

test("breaks are counted by what a cache reads first, and the latest are told with what they took", () => {
  const one = (at: number) => ({
    at,
    session: "s",
    model: "loop/m",
    differs: [{ part: "tools", what: "new: liar__echo" } as const],
    inputTokens: 900,
    cacheReadTokens: 300,
  });
  const here = { now: 12 * 60_000, zoneMinutes: 0 };
  assert.equal(describeBreaks([], here), "");
  assert.equal(
    describeBreaks([one(0)], here),
    "1 request did not begin with what the session sent before, first by: tools 1.\n  00:00, loop/m: tools (new: liar__echo); 900 tokens in (300 cached)",
  );
  const many = describeBreaks(
    Array.from({ length: 12 }, (_, at) => one(at * 60_000)),
    here,
  ).split("\n");
  assert.equal(many.length, 11);
  assert.match(many[0] ?? "", /tools 12\. The latest 10:$/);
  assert.match(many[1] ?? "", /^ {2}00:02,/);
});

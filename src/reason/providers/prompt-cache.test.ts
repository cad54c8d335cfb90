import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { paid, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { makeRenderer } from "../model/render.ts";
import { lastTurnOf } from "./cache-marks.ts";
import type { ProviderKind } from "./presets.ts";

const payload = { tool: "read-file", args: { path: "a" } };
const call = { id: "call-1", action: { target: "tool", payload, explanation: "what a file needs" } };
const outcome = { status: "success" as const, content: "the contents of a" };
const history: readonly Message[] = [
  says("look at a"),
  {
    role: "assistant",
    text: "I look.",
    calls: [call],
    native: true,
    provider: "p",
    raw: null,
    label: bottomLabel,
  },
  {
    role: "result",
    callId: "call-1",
    native: true,
    result: { id: "r1", tool: "read-file", outcome, label: bottomLabel },
  },
];

const chatBody = z.object({
  messages: z.array(z.looseObject({ content: z.unknown(), cache_control: z.unknown().optional() })),
});

/** What a provider of this kind is sent for a history of one turn and the next words. */
async function bodyTo(kind: ProviderKind, model = "m", messages = history): Promise<string> {
  await using server = await startLoopbackProvider([{ text: "done" }]);
  const request = { ...requestOf(...messages, says("and now?")), stableMessages: messages.length, model };
  const { stream } = providerAt(server.url, { kind, apiKey: "k" });
  await Array.fromAsync(stream(request, paid, new AbortController().signal));
  return server.requests[0]?.body ?? "";
}

test("Anthropic is asked to cache up to the end of the system text, of the history, and of the turn; nobody else is", async () => {
  const body = await bodyTo("anthropic");
  const marks = [...body.matchAll(/"cache_control":\{"type":"ephemeral"\}/g)].map(({ index }) => index);
  const endOf = (text: string): number => body.indexOf(text) + text.length;
  const ends = ["You are an agent.", "the contents of a", "and now?"].map(endOf);
  assert.equal(marks.length, 3);
  const places = ends.map((end) => marks.filter((at) => at > end && at - end < 60).length);
  assert.deepEqual(places, [1, 1, 1]);
  for (const kind of ["ollama", "openai", "google"] as const) {
    assert.ok(!(await bodyTo(kind)).includes("cache_control"));
  }
});

test("where the last turn was cached up to its beginning, that place is marked too, however many calls it made", async () => {
  const [words, ...steps] = history;
  assert.ok(words);
  const turns = [says("the first turn"), words, ...steps, ...steps, ...steps];
  const body = await bodyTo("anthropic", "m", turns);
  const marks = [...body.matchAll(/"cache_control":\{"type":"ephemeral"\}/g)].map(({ index }) => index);
  assert.equal(marks.length, 4);
  const end = body.indexOf("the first turn") + "the first turn".length;
  assert.ok(marks.some((at) => at > end && at - end < 60));
});

test("the place before the last turn is found, too, where the program told something in it, or words steered it", async () => {
  const [words, ...steps] = history;
  assert.ok(words);
  const label = bottomLabel;
  for (const flag of [{ told: true }, { steers: true }] as const) {
    const within: Message = { role: "user", text: "within the turn", label, ...flag };
    const turns: readonly Message[] = [says("the first turn"), words, ...steps, within, ...steps];
    const { messages } = makeRenderer(
      { scan: () => [], mask: (text) => text },
      {
        ready: async () => undefined,
        withhold: (text) => text,
        withholdAcross: (texts) => texts,
        revision: () => 0,
      },
    )({ system: "", messages: [...turns, says("and now?")] }, false);
    assert.equal(lastTurnOf({ messages, stableMessages: turns.length }), 1, JSON.stringify(flag));
  }
});

test("OpenRouter is asked to cache the same places for Anthropic's models, at the text where it looks for the marks", async () => {
  const answer = history.slice(0, 1).concat({
    role: "assistant",
    text: "I looked.",
    calls: [],
    native: true,
    provider: "q",
    raw: null,
    label: bottomLabel,
  });
  for (const [messages, texts] of [
    [history, ["You are an agent.", "the contents of a", "and now?"]],
    [answer, ["You are an agent.", "I looked.", "and now?"]],
  ] as const) {
    const body = await bodyTo("openrouter", "anthropic/claude-sonnet-5-5", [...messages]);
    const { messages: sent } = chatBody.parse(JSON.parse(body));
    const marked = sent.flatMap(({ content }): readonly unknown[] => (Array.isArray(content) ? content : []));
    const cache_control = { type: "ephemeral" };
    assert.deepEqual(
      marked,
      texts.map((text) => ({ type: "text", text, cache_control })),
    );
    assert.ok(sent.every((message) => message.cache_control === undefined));
  }
  for (const model of ["openrouter/auto", "openai/gpt-5.6-terra"]) {
    assert.ok(!(await bodyTo("openrouter", model)).includes("cache_control"));
  }
});

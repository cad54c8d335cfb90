import assert from "node:assert/strict";
import { test } from "node:test";
import { calcPrice } from "@pydantic/genai-prices";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { type Recorded, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ProviderKind } from "../providers/presets.ts";
import { buildProviders } from "../providers/registry.ts";
import { openModelDoor } from "./call-model.ts";
import type { Provider } from "./model-port.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const never = new AbortController().signal;

/** What a provider counts in one request, as it bills it. */
type Counted = {
  readonly input: number;
  readonly read: number;
  readonly write: number;
  readonly output: number;
  readonly thinking: number;
};

/** A service that counts, with the usage that its real API sends. */
type Service = {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly address?: string;
  readonly model: string;
  readonly usage: (counted: Counted) => object;
  /** It caches up to marks only, and bills what it puts into the cache. */
  readonly marks?: true;
  readonly billsWrites?: true;
};

const chat = ({ input, read, output, thinking }: Counted) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: read, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: thinking, accepted_prediction_tokens: 0 },
});
const services: readonly Service[] = [
  {
    id: "anthropic",
    kind: "anthropic",
    model: "claude-sonnet-5-5",
    marks: true,
    billsWrites: true,
    usage: ({ input, read, write, output, thinking }) => ({
      input_tokens: input - read - write,
      cache_creation_input_tokens: write,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { thinking_tokens: thinking },
      service_tier: "standard",
    }),
  },
  { id: "openai", kind: "openai", model: "gpt-4.1", usage: chat },
  {
    id: "openai",
    kind: "openai",
    model: "gpt-5.6-terra",
    billsWrites: true,
    usage: ({ input, read, write, output, thinking }) => ({
      input_tokens: input,
      input_tokens_details: { cached_tokens: read, cache_write_tokens: write },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: thinking },
      total_tokens: input + output,
    }),
  },
  {
    id: "google",
    kind: "google",
    model: "gemini-3.8-flash",
    usage: ({ input, read, output, thinking }) => ({
      promptTokenCount: input,
      candidatesTokenCount: output - thinking,
      thoughtsTokenCount: thinking,
      totalTokenCount: input + output,
      cachedContentTokenCount: read,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
    }),
  },
  { id: "groq", kind: "groq", model: "openai/gpt-oss-120b", usage: chat },
  {
    id: "deepseek",
    kind: "openai-compatible",
    address: "https://api.deepseek.com/v1",
    model: "deepseek-v4-flash",
    usage: ({ input, read, output, thinking }) => ({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_cache_hit_tokens: read,
      prompt_cache_miss_tokens: input - read,
      completion_tokens_details: { reasoning_tokens: thinking },
    }),
  },
  {
    id: "x-ai",
    kind: "openai-compatible",
    address: "https://api.x.ai/v1",
    model: "grok-4-1-fast-reasoning",
    usage: ({ input, read, output, thinking }) => ({
      prompt_tokens: input,
      completion_tokens: output - thinking,
      total_tokens: input + output,
      prompt_tokens_details: { text_tokens: input, cached_tokens: read },
      completion_tokens_details: { reasoning_tokens: thinking },
    }),
  },
  {
    id: "openrouter",
    kind: "openrouter",
    model: "anthropic/claude-sonnet-5",
    billsWrites: true,
    usage: (counted) => ({
      ...chat(counted),
      prompt_tokens_details: { cached_tokens: counted.read, cache_write_tokens: counted.write },
    }),
  },
];

/** Counts requests as a service does: a token for each four characters, and a cache of the prefixes that it has seen. */
function makeMeter({ marks, billsWrites }: Service, output: readonly number[]) {
  const seen: string[] = [];
  const counted: Counted[] = [];
  return {
    counted,
    count(body: string): Counted {
      const cacheable = marks === true ? upToLastMark(body) : body;
      const read = Math.max(0, ...seen.map((text) => commonTokens(text, cacheable)));
      const input = tokens(body);
      const write = billsWrites === true ? tokens(cacheable) - read : 0;
      seen.push(...(marks === true ? marksOf(body) : [body]));
      const whole = output[counted.length] ?? 0;
      const one = { input, read, write, output: whole, thinking: Math.floor(whole / 3) };
      counted.push(one);
      return one;
    },
  };
}

const tokens = (text: string): number => Math.floor(text.length / 4);
const mark = '"cache_control":{"type":"ephemeral"}';
const bare = (text: string): string => text.replaceAll(`,${mark}`, "");

/** The prompt as Anthropic sees it: tools, system, messages; and its prefixes up to each mark. */
function marksOf(body: string): readonly string[] {
  const parts: unknown = JSON.parse(body);
  const whole = JSON.stringify(["tools", "system", "messages"].map((key) => Reflect.get(Object(parts), key)));
  return [...whole.matchAll(new RegExp(mark, "g"))].map(({ index }) => bare(whole.slice(0, index)));
}

function upToLastMark(body: string): string {
  return marksOf(body).at(-1) ?? "";
}

/** Tokens that a cached text and a prompt begin with, in the blocks that caches have. */
function commonTokens(text: string, prompt: string): number {
  let same = 0;
  while (same < text.length && text[same] === prompt[same]) same += 1;
  return Math.floor(tokens(text.slice(0, same)) / 64) * 64;
}

/** What the service bills, by the price library itself. Dollars. */
function billOf({ id, model }: Service, counted: readonly Counted[]): number {
  const bills = counted.map(({ input, read, write, output, thinking }) => {
    const usage = {
      input_tokens: input,
      cache_read_tokens: read,
      cache_write_tokens: write,
      output_tokens: output,
      output_reasoning_tokens: thinking,
    };
    return calcPrice(usage, model, { providerId: id, timestamp: new Date(now) })?.total_price ?? Number.NaN;
  });
  return bills.reduce((sum, bill) => sum + bill, 0);
}

/** A turn of two steps: a call of a tool, and the answer after its result. */
async function bookTurn(service: Service, output: readonly [number, number], words: string) {
  const meter = makeMeter(service, output);
  const onRequest = ({ body }: Recorded): void => {
    const sentUsage = service.usage(meter.count(body));
    const first = meter.counted.length === 1;
    server.add({
      text: "Done.",
      sentUsage,
      ...(first && { calls: [{ id: "c1", name: "read-file", arguments: { path: "a" } }] }),
    });
  };
  await using server = await startLoopbackProvider([], { onRequest });
  const { kind, model, address = null } = service;
  const setting = { name: "first", kind, baseUrl: address, apiKey: "k", model };
  const real = buildProviders([setting], () => now).providers.get("first");
  assert.ok(real);
  const provider: Provider = {
    ...providerAt(server.url, { kind, model, apiKey: "k" }),
    recordOf: real.recordOf,
  };
  const world = makeDoorWorld([provider]);
  const door = openModelDoor(world.parts);
  const request = { ...requestOf(...turnMessages(words)), maxOutputTokens: null, system: words };
  const step = await door.callModel(
    { ...request, messages: request.messages.slice(0, 1) },
    makeHooks().hooks,
    never,
  );
  const last = await door.callModel(request, makeHooks().hooks, never);
  assert.ok(step.ok && last.ok, JSON.stringify([step, last]).slice(0, 400));
  const booked = world.books.booked.reduce((sum, { microdollars }) => sum + microdollars, 0);
  return { booked: booked / 1_000_000, billed: billOf(service, meter.counted), counted: meter.counted };
}

function turnMessages(words: string): readonly Message[] {
  const payload = { tool: "read-file", args: { path: "a" } };
  const call = { id: "c1", action: { target: "tool", payload, explanation: "to see it" } };
  const result = {
    id: "r1",
    tool: "read-file",
    outcome: { status: "success" as const, content: words },
    label: bottomLabel,
  };
  return [
    says(`What is in a? ${words}`),
    {
      role: "assistant",
      text: "Done.",
      calls: [call],
      native: true,
      provider: "other",
      raw: null,
      label: bottomLabel,
    },
    { role: "result", callId: "c1", native: true, result },
  ];
}

for (const service of services) {
  for (const [what, words] of [
    ["an ordinary turn", "Some words of a prompt that is worth caching. ".repeat(300)],
    ["a turn above the threshold for long prompts", "Long words of a very long prompt. ".repeat(20_000)],
  ] as const) {
    test(`${service.id} ${service.model}: ${what} is booked to the cent as the service bills it`, async (t) => {
      const { booked, billed, counted } = await bookTurn(service, [900, 12_345], words);
      assert.ok((counted[1]?.read ?? 0) > 1_000, "the second step hits the cache");
      assert.ok(Math.abs(booked - billed) < 0.000_003, `booked $${booked}, billed $${billed}`);
      t.diagnostic(`booked $${booked.toFixed(6)}, billed $${billed.toFixed(6)}`);
    });
  }
}

test("what a provider says that an answer cost is booked where it says so, whatever model it chose", async () => {
  const sentUsage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010, cost: 0.0321 };
  await using server = await startLoopbackProvider([{ text: "Hi.", sentUsage }]);
  const world = makeDoorWorld([providerAt(server.url, { kind: "openrouter", apiKey: "k" })]);
  const outcome = await openModelDoor(world.parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  assert.ok(outcome.ok);
  assert.equal(outcome.microdollars, 32_100);
});

test("a provider that reports more cached than sent tokens, or a price below nothing, is not believed", async () => {
  const sent = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
  for (const [kind, sentUsage] of [
    ["openai", { ...sent, prompt_tokens_details: { cached_tokens: 900_000 } }],
    ["openrouter", { ...sent, cost: -1 }],
  ] as const) {
    await using server = await startLoopbackProvider([{ text: "Hi.", sentUsage }]);
    const prices = { inputMicrodollarsPerMillion: 1_000_000, outputMicrodollarsPerMillion: 1_000_000 };
    const model = kind === "openai" ? "gpt-4.1" : null;
    const world = makeDoorWorld([providerAt(server.url, { kind, apiKey: "k", model, prices })]);
    const outcome = await openModelDoor(world.parts).callModel(
      requestOf(says("hi")),
      makeHooks().hooks,
      never,
    );
    assert.ok(outcome.ok && outcome.microdollars > 0, `${kind} booked ${outcome.ok && outcome.microdollars}`);
  }
});

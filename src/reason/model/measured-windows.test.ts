import assert from "node:assert/strict";
import { test } from "node:test";
import { MeasuredWindows } from "./measured-windows.ts";
import type { ModelRequest } from "./model-port.ts";

const record = {
  model: "m",
  contextWindow: 16_384,
  maxOutputTokens: 4_096,
  thinks: false,
  inputs: [],
  prices: null,
  origin: { contextWindow: "preset", maxOutputTokens: "preset", prices: { from: "local", day: null } },
} as const;
const request: ModelRequest = {
  model: "m",
  system: "x".repeat(7_000),
  messages: [],
  tools: [],
  maxOutputTokens: 4_096,
  stableMessages: 0,
};

const refusals: readonly (readonly [server: string, words: string, window: number, room: number])[] = [
  [
    "llama.cpp",
    "answered 400: request (4002 tokens) exceeds the available context size (4096 tokens), try increasing it",
    4096,
    2048,
  ],
  [
    "vLLM",
    "answered 400: This model's maximum context length is 8192 tokens. However, you requested 12002 tokens (4002 in the messages, 8000 in the completion).",
    8192,
    4097,
  ],
  [
    "OpenAI's",
    "answered 400: This model's maximum context length is 4096 tokens. However, your messages resulted in 4002 tokens.",
    4096,
    2048,
  ],
  [
    "LM Studio",
    "answered 400: Trying to keep the first 4002 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    4096,
    2048,
  ],
  ["Anthropic's", "answered 400: prompt is too long: 4002 tokens > 4096 maximum", 4096, 2048],
  ["a server without its count", "answered 400: the context window is 4096 tokens", 4096, 4096],
];

for (const [server, message, window, room] of refusals)
  test(`a refusal in the words of ${server} says the window, and how many tokens the estimate is short of`, () => {
    const windows = new MeasuredWindows(() => 0);
    assert.deepEqual(windows.roomOf("p", record), { contextWindow: 16_384, maxOutputTokens: 4_096 });
    const failure = { code: "too-long", message, retryAfterMs: null, begun: false, usage: null } as const;
    windows.note("p", request, failure);
    assert.equal(windows.apply("p", record).contextWindow, window);
    assert.equal(windows.apply("p", record).maxOutputTokens, window / 4);
    assert.ok(
      Math.abs(windows.roomOf("p", record).contextWindow - room) < 4,
      String(windows.roomOf("p", record).contextWindow),
    );
    assert.equal(windows.apply("other", record).contextWindow, 16_384);
  });

test("words that say neither change nothing", () => {
  const windows = new MeasuredWindows(() => 0);
  windows.note("p", request, {
    code: "too-long",
    message: "request too large",
    retryAfterMs: null,
    begun: false,
    usage: null,
  });
  assert.deepEqual(windows.roomOf("p", record), { contextWindow: 16_384, maxOutputTokens: 4_096 });
});

test("a window is measured anew after ten minutes, since its server may have a larger one now", () => {
  let now = 1_000;
  const windows = new MeasuredWindows(() => now);
  const message = "the context window is 4096 tokens";
  windows.note("p", request, { code: "too-long", message, retryAfterMs: null, begun: false, usage: null });
  now += 599_999;
  assert.equal(windows.roomOf("p", record).contextWindow, 4_096);
  now += 1;
  assert.equal(windows.roomOf("p", record).contextWindow, 16_384);
});

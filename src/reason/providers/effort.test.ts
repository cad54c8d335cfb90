import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { readProviderSettings } from "../../settings/read-provider-settings.ts";
import type { Effort } from "./effort.ts";
import type { ProviderKind } from "./presets.ts";

/** The fields of thinking in what a provider is sent. */
async function sentTo(kind: ProviderKind, model: string, effort: Effort | null, maxOutputTokens = 16_000) {
  await using server = await startLoopbackProvider([{ text: "done" }]);
  const provider = providerAt(server.url, { kind, apiKey: "k", ...(effort !== null && { effort }) });
  const request = { ...requestOf(says("hi")), model, maxOutputTokens, session: "s1" };
  await Array.fromAsync(provider.stream(request, paid, new AbortController().signal));
  const body: unknown = JSON.parse(server.requests[0]?.body ?? "null");
  const field = (...path: readonly string[]): unknown =>
    path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), body);
  return {
    thinking: field("thinking"),
    effort: field("output_config", "effort") ?? field("reasoning", "effort") ?? field("reasoning_effort"),
    level: field("generationConfig", "thinkingConfig"),
    most: field("max_tokens") ?? field("max_output_tokens") ?? field("generationConfig", "maxOutputTokens"),
    cacheKey: field("prompt_cache_key"),
  };
}

test("the effort of a provider reaches each of them in its own words", async () => {
  const claude = await sentTo("anthropic", "claude-sonnet-5-5", "high");
  assert.deepEqual([claude.thinking, claude.effort], [{ type: "adaptive", display: "summarized" }, "high"]);
  assert.equal((await sentTo("openai", "gpt-5.6-terra", "low")).effort, "low");
  assert.notEqual((await sentTo("google", "gemini-3.8-flash", "medium")).level, undefined);
  assert.equal((await sentTo("openai-compatible", "qwen3-8b", "medium")).effort, "medium");
  assert.equal((await sentTo("openai-compatible", "qwen3-8b", "off")).effort, "none");
});

test("nothing of it is sent without the setting, for a model that is not known to think, and where no answer would be left", async () => {
  const nothing = { thinking: undefined, effort: undefined, level: undefined };
  for (const [kind, model, effort, most] of [
    ["anthropic", "claude-sonnet-5-5", null, 16_000],
    ["openai", "gpt-5.6-terra", null, 16_000],
    ["openai-compatible", "m", "high", 16_000],
    ["openai", "gpt-4.1", "high", 16_000],
    ["anthropic", "claude-sonnet-5-5", "high", 16],
    ["anthropic", "claude-opus-4-1", "high", 16_000],
  ] as const) {
    const { thinking, effort: sent, level, most: asked } = await sentTo(kind, model, effort, most);
    assert.deepEqual({ thinking, effort: sent, level }, nothing, `${kind} ${model}`);
    assert.ok(asked === undefined || asked === most, "no call may have more than was reserved for it");
  }
});

test("OpenAI gets the same cache key for all requests of a session, and nobody else gets one", async () => {
  const { cacheKey } = await sentTo("openai", "gpt-5.6-terra", null);
  assert.match(String(cacheKey), /^[\da-f]{32}$/);
  assert.equal((await sentTo("openai", "gpt-4.1", null)).cacheKey, cacheKey);
  assert.equal((await sentTo("openai-compatible", "m", null)).cacheKey, undefined);
});

test("an effort that is none of the four is told, and ignored", () => {
  const problems: string[] = [];
  const readVault = () => ({ ok: false, reason: "" }) as const;
  const read = (word: string) =>
    readProviderSettings(["groq"], { GROQ_EFFORT: word }, { problems, readVault })[0]?.effort;
  assert.deepEqual([read("High"), read(""), read("ultra")], ["high", undefined, undefined]);
  assert.deepEqual(problems, [
    "GROQ_EFFORT is not `off`, `low`, `medium` or `high` and is ignored. Correct it.",
  ]);
});

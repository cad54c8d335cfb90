import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { readProviderSettings } from "../../settings/read-provider-settings.ts";
import { type Effort, nearestEffort } from "../model/effort.ts";
import { describeRecord } from "./describe-record.ts";
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

test("a level that a model does not have is sent as the nearest one that it has", async () => {
  for (const [kind, model, effort, sent] of [
    ["openai", "o3", "off", "low"],
    ["openai", "gpt-5-codex", "off", "low"],
    ["openai", "gpt-5-pro", "low", "high"],
    ["openai", "gpt-5.1", "off", "none"],
    ["openai-compatible", "openai/gpt-oss-120b", "off", "low"],
    ["openai-compatible", "qwen3-235b-a22b-thinking-2507", "off", "low"],
  ] as const)
    assert.equal((await sentTo(kind, model, effort)).effort, sent, `${model} ${effort}`);
  const { thinking } = await sentTo("anthropic", "claude-sonnet-5-5", "off");
  assert.deepEqual(thinking, { type: "between_tools" }, "its package knows the least of it");
});

test("the model table tells which levels a model has, what is asked for, and what is usual", async () => {
  const told = async (model: string, effort: Effort | null) => {
    const provider = providerAt("http://127.0.0.1:9", {
      kind: "openai",
      apiKey: "k",
      ...(effort !== null && { effort }),
    });
    return /Thinking: .*/.exec(describeRecord("first", await provider.recordOf(model)))?.[0];
  };
  assert.equal(await told("o3", "off"), "Thinking: low (FIRST_EFFORT; the model has low, medium, high).");
  assert.equal(await told("o3", null), "Thinking: medium (FIRST_EFFORT can be low, medium, high).");
  assert.equal(
    await told("gpt-5.6-terra", null),
    "Thinking: as much as is usual for the model (FIRST_EFFORT can be off, low, medium, high).",
  );
  assert.equal(await told("gpt-4o", "high"), undefined);
});

test("the level for a wanted one is the next lower, else the next higher, and thinking does not become none", () => {
  const cases: readonly (readonly [Effort, readonly Effort[], Effort | null])[] = [
    ["medium", ["off", "low", "high"], "low"],
    ["low", ["off", "high"], "high"],
    ["high", ["off"], null],
    ["off", ["medium", "high"], "medium"],
    ["off", [], null],
  ];
  for (const [wanted, levels, nearest] of cases) assert.equal(nearestEffort(wanted, levels), nearest);
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

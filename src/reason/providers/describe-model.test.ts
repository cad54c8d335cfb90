import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRecord } from "./describe-record.ts";
import { buildProviders } from "./registry.ts";
import type { ProviderSetting } from "./settings.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
async function recordOf(rest: Partial<ProviderSetting>) {
  const setting: ProviderSetting = {
    name: "p",
    kind: "openai",
    baseUrl: null,
    apiKey: "k",
    model: null,
    ...rest,
  };
  const provider = buildProviders([setting], () => now).providers.get("p");
  assert.ok(provider);
  return provider.recordOf(provider.model);
}

test("a hosted model gets its prices and window from the table without a setting", async () => {
  const { contextWindow, prices, origin } = await recordOf({ kind: "anthropic", model: "claude-haiku-4-5" });
  assert.deepEqual(prices, {
    inputMicrodollarsPerMillion: 1_000_000,
    outputMicrodollarsPerMillion: 5_000_000,
    cacheReadMicrodollarsPerMillion: 100_000,
    cacheWriteMicrodollarsPerMillion: 1_250_000,
  });
  assert.deepEqual([contextWindow, origin.prices.from, origin.contextWindow], [200_000, "table", "table"]);
});

test("a setting of the owner wins over the table, each by itself", async () => {
  const prices = { outputMicrodollarsPerMillion: 7_000_000 };
  const record = await recordOf({ model: "gpt-4.1", prices, contextWindow: 50_000, maxOutputTokens: 9_000 });
  assert.deepEqual(record.prices, {
    inputMicrodollarsPerMillion: 2_000_000,
    outputMicrodollarsPerMillion: 7_000_000,
    cacheReadMicrodollarsPerMillion: 500_000,
  });
  assert.deepEqual([record.contextWindow, record.maxOutputTokens], [50_000, 9_000]);
  const { prices: price, ...limits } = record.origin;
  assert.deepEqual([price.from, ...Object.values(limits)], ["setting", "setting", "setting"]);
});

test("the limit of an answer is the model's, and thinking has room of its own beside it", async () => {
  const limitOf = async (rest: Partial<ProviderSetting>) => (await recordOf(rest)).maxOutputTokens;
  assert.equal(await limitOf({ model: "gpt-4o" }), 16_384);
  assert.equal(await limitOf({ model: "gpt-3.5-turbo" }), 4_096);
  assert.equal(await limitOf({ kind: "anthropic", model: "claude-3-5-haiku-latest" }), 8_192);
  assert.equal(await limitOf({ kind: "anthropic", model: "claude-sonnet-5-5" }), 32_768);
  assert.equal(
    await limitOf({ kind: "anthropic", model: "claude-sonnet-5-5", maxOutputTokens: 100_000 }),
    116_384,
  );
  assert.equal(
    await limitOf({ kind: "anthropic", model: "claude-sonnet-5-5", maxOutputTokens: 120_000 }),
    128_000,
  );
  assert.equal(await limitOf({ kind: "openrouter", model: "anthropic/claude-sonnet-5" }), 32_768);
  assert.equal(await limitOf({ kind: "ollama", baseUrl: "http://127.0.0.1:1/v1", model: "m" }), 2_048);
});

test("a model that nobody knows is told as such, with the settings that correct it", async () => {
  const record = await recordOf({ model: "house-model" });
  assert.deepEqual([record.prices, record.origin.prices.from], [null, "assumption"]);
  assert.match(
    describeRecord("p", record),
    /Price: unknown, so it is not asked\. Set P_INPUT_PRICE and P_OUTPUT_PRICE, or UNPRICED_MODELS=allow\./,
  );
});

test("a record is told with the origin of each value", async () => {
  assert.equal(
    describeRecord("p", await recordOf({ model: "gpt-5.6-terra", maxOutputTokens: 500 })),
    "Price for a million tokens: $2 in, $0.2 cached, $12 out, more above 271999 tokens (the model table of 2026-09-23). " +
      "Context: 1050000 tokens (the model table). Answer: at most 16884 tokens (your setting). " +
      "Thinking: as much as is usual for the model (P_EFFORT can be off, low, medium, high).",
  );
});

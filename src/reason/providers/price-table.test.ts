import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calcPrice, findProvider } from "@pydantic/genai-prices";
import type { TokenUsage } from "../model/token-usage.ts";
import { costOf } from "../model/usage.ts";
import { providerPresets } from "./presets.ts";
import { priceTable } from "./price-source.ts";
import { findInTable, priceTableDay } from "./price-table.ts";

const addresses = new Map([
  ["anthropic", "https://api.anthropic.com/v1"],
  ["openai", "https://api.openai.com/v1"],
  ["google", "https://generativelanguage.googleapis.com/v1beta"],
  ["openrouter", "https://openrouter.ai/api/v1"],
  ["groq", "https://api.groq.com/openai/v1"],
  ["deepseek", "https://api.deepseek.com"],
  ["mistral", "https://api.mistral.ai/v1"],
  ["x-ai", "https://api.x.ai/v1"],
]);
const usages: readonly TokenUsage[] = [
  { inputTokens: 1_234, outputTokens: 567 },
  { inputTokens: 90_000, outputTokens: 12_345, cacheReadTokens: 80_000, thinkingTokens: 9_000 },
  { inputTokens: 250_001, outputTokens: 4_096, cacheReadTokens: 200_000, cacheWriteTokens: 50_000 },
  { inputTokens: 271_999, outputTokens: 1, cacheWriteTokens: 271_999 },
  { inputTokens: 272_001, outputTokens: 100_000, cacheReadTokens: 1, thinkingTokens: 99_999 },
];
/** Before and after changes of prices, and in hours with prices of their own. */
const times = [
  "2026-02-01T12:00:00Z",
  "2026-11-22T02:30:00Z",
  "2026-11-22T05:00:00Z",
  "2027-01-01T23:00:00Z",
];

test("every model of the table costs what its library says, for every kind of token, length of prompt and time", (t) => {
  let cases = 0;
  for (const [id, url] of addresses) {
    for (const { id: model } of findProvider({ providerId: id })?.models ?? []) {
      for (const time of times) {
        const entry = findInTable(priceTable, { url, model, now: Date.parse(time) });
        if (entry === null) continue;
        for (const usage of usages) {
          const expected = calcPrice(
            {
              input_tokens: usage.inputTokens,
              output_tokens: usage.outputTokens,
              cache_read_tokens: usage.cacheReadTokens ?? 0,
              cache_write_tokens: usage.cacheWriteTokens ?? 0,
              output_reasoning_tokens: usage.thinkingTokens ?? 0,
            },
            model,
            { providerId: id, timestamp: new Date(time) },
          );
          const microdollars = (expected?.total_price ?? Number.NaN) * 1_000_000;
          const cost = costOf(usage, entry.prices);
          assert.ok(
            Math.abs(cost - microdollars) <= 1.01,
            `${id} ${model} ${time}: ${cost}, not ${microdollars}`,
          );
          cases += 1;
        }
      }
    }
  }
  assert.ok(cases > 10_000, `${cases} cases`);
  t.diagnostic(`${cases} bills equal to the library's`);
});

test("the day of the table is that of the version it is made of", () => {
  const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  const version = /"@pydantic\/genai-prices": "([^"]*)"/.exec(manifest)?.[1];
  assert.deepEqual([version, priceTableDay], ["0.1.8", "2026-09-23"], "a newer version has another day");
});

test("the default model of every hosted preset has a price and a window in the table, except OpenRouter's choice of models", () => {
  for (const { kind, baseUrl, model, needsKey } of providerPresets.values()) {
    if (!needsKey || baseUrl === null || kind === "openrouter") continue;
    const entry = findInTable(priceTable, { url: baseUrl, model, now: Date.parse("2026-11-22") });
    assert.ok(entry !== null && entry.prices.inputMicrodollarsPerMillion > 0, `${kind}: ${model}`);
    assert.ok((entry.contextWindow ?? 0) >= 128_000, `${kind}: ${model}`);
  }
});

test("a model behind an address that no service has is found by its name, which the entry says; an unknown name is not found", () => {
  const find = (model: string) => findInTable(priceTable, { url: "https://proxy.example/v1", model, now: 0 });
  assert.deepEqual(
    [find("claude-haiku-4-5")?.service, find("claude-haiku-4-5")?.byNameOnly],
    ["anthropic", true],
  );
  assert.equal(find("house-model"), null);
});

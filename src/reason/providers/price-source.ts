import { findProvider, type ModelInfo, type ModelPrice } from "@pydantic/genai-prices";
import type { DatedRates, PricedModel, PricedProvider, TierRates } from "./price-table.ts";

/** The services whose prices are kept: those that an address of a model provider can lead to. */
const services = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "groq",
  "deepseek",
  "mistral",
  "x-ai",
  "together",
  "cerebras",
  "fireworks",
  "perplexity",
  "cohere",
  "moonshotai",
  "novita",
  "zai",
];
const rateNames = [
  "input_mtok",
  "output_mtok",
  "cache_read_mtok",
  "cache_write_mtok",
  "output_reasoning_mtok",
] as const;

/** The prices and context windows of `@pydantic/genai-prices`, reduced to text. The build replaces this module by its value. */
export const priceTable: readonly PricedProvider[] = services.flatMap((id): readonly PricedProvider[] => {
  const provider = findProvider({ providerId: id });
  if (provider === undefined) throw new Error(`@pydantic/genai-prices has no prices of ${id}`);
  const models = provider.models.flatMap(reduceModel);
  return [{ id, url: `^(?:${provider.api_pattern})`, family: provider.model_match ?? null, models }];
});

function reduceModel({ match, context_window: window, prices }: ModelInfo): readonly PricedModel[] {
  const dated = Array.isArray(prices) ? prices : [{ prices }];
  if (!dated.every((entry) => isPricedByText(entry.prices))) return [];
  const rates = dated.map(({ constraint, prices: price }): DatedRates => {
    if (constraint === undefined) return { tiers: tiersOf(price) };
    return constraint.type === "start_date"
      ? { from: constraint.start_date, tiers: tiersOf(price) }
      : { daily: [constraint.start_time, constraint.end_time], tiers: tiersOf(price) };
  });
  return [{ match, window: window ?? null, rates }];
}

/** Whether a model is billed by tokens of text. A model without any price is free. */
function isPricedByText(price: ModelPrice): boolean {
  return Object.keys(price).length === 0 || price["input_mtok"] !== undefined;
}

function tiersOf(price: ModelPrice): readonly TierRates[] {
  const starts = new Set([0]);
  for (const name of rateNames) {
    const rate = price[name];
    if (typeof rate === "object") for (const { start } of rate.tiers) starts.add(start);
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => {
      const [input, output, cacheRead, cacheWrite, thinking] = rateNames.map((name) =>
        rateAt(price[name], start),
      );
      return [start, input ?? 0, output ?? 0, cacheRead ?? null, cacheWrite ?? null, thinking ?? null];
    });
}

/** Microdollars for a million tokens of a prompt that is longer than `start`. */
function rateAt(rate: ModelPrice[string], start: number): number | null {
  if (rate === undefined) return null;
  const dollars =
    typeof rate === "number"
      ? rate
      : (rate.tiers.findLast((tier) => tier.start <= start)?.price ?? rate.base);
  return Math.round(dollars * 1_000_000);
}

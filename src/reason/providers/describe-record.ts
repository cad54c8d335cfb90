import { describePriceOrigin, type PriceOrigin } from "../../signal/spending.ts";
import type { ModelEffort } from "../model/effort.ts";
import type { ModelRecord, Prices, RecordOrigin } from "../model/model-port.ts";
import { variableOf } from "../model/setting-name.ts";

const origins: { readonly [Origin in RecordOrigin]: string } = {
  setting: "your setting",
  table: "the model table",
  name: "the model table, by the name alone: the address is of no service that it knows",
  server: "the model on its server",
  bound: "a bound, since a context takes memory",
  preset: "the default of this provider",
  assumption: "a careful assumption",
};

/** Tells a model's record with the origin of each value, and how to correct what is assumed. */
export function describeRecord(provider: string, record: ModelRecord): string {
  const { contextWindow, maxOutputTokens, prices, origin } = record;
  return [
    describePrices(provider, prices, origin.prices),
    `Context: ${contextWindow} tokens (${origins[origin.contextWindow]}${moreWindow(provider, record)}).`,
    `Answer: at most ${maxOutputTokens} tokens (${origins[origin.maxOutputTokens]}).`,
    ...(record.effort === undefined ? [] : [describeEffort(provider, record.effort)]),
  ].join(" ");
}

function describeEffort(provider: string, { levels, asked, usual }: ModelEffort): string {
  const setting = variableOf(provider, "EFFORT");
  if (asked !== null) return `Thinking: ${asked} (${setting}; the model has ${levels.join(", ")}).`;
  return `Thinking: ${usual ?? "as much as is usual for the model"} (${setting} can be ${levels.join(", ")}).`;
}

function moreWindow(provider: string, { contextWindow, largestWindow = contextWindow }: ModelRecord): string {
  if (largestWindow <= contextWindow) return "";
  return `; the model has up to ${largestWindow}, which ${variableOf(provider, "CONTEXT_WINDOW")} can ask for`;
}

function describePrices(provider: string, prices: Prices | null, origin: PriceOrigin): string {
  if (prices === null) {
    const prefix = provider.toUpperCase().replaceAll("-", "_");
    return `Price: unknown, so it is not asked. Set ${prefix}_INPUT_PRICE and ${prefix}_OUTPUT_PRICE, or UNPRICED_MODELS=allow.`;
  }
  const { inputMicrodollarsPerMillion: input, outputMicrodollarsPerMillion: output } = prices;
  if (input === 0 && output === 0) return `Price: free (${describePriceOrigin(origin)}).`;
  const dollars = (rate: number): string => `$${Number((rate / 1_000_000).toPrecision(6))}`;
  const cached = prices.cacheReadMicrodollarsPerMillion;
  const parts = [
    `${dollars(input)} in`,
    ...(cached === undefined ? [] : [`${dollars(cached)} cached`]),
    `${dollars(output)} out`,
  ];
  const longer = (prices.longerPrompts ?? []).map(({ aboveInputTokens }) => `${aboveInputTokens}`);
  const more = longer.length === 0 ? "" : `, more above ${longer.join(" and ")} tokens`;
  return `Price for a million tokens: ${parts.join(", ")}${more} (${describePriceOrigin(origin)}).`;
}

import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { TokenUsage } from "../model/token-usage.ts";
import { toJson } from "./raw-parts.ts";

/**
 * The tokens of an answer as its provider bills them; null if it did not count them. Beside what the provider packages read: DeepSeek's `prompt_cache_hit_tokens`,
 * OpenRouter's `cache_write_tokens`, xAI's thinking that is not part of `completion_tokens`, and, where `statesCost`, the price in `cost` (dollars).
 */
export function readUsage(
  { inputTokens, outputTokens, raw }: LanguageModelV4Usage,
  statesCost: boolean,
): TokenUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  const sent = objectOf(toJson(raw ?? null));
  const thinking = outputTokens.reasoning ?? 0;
  const prompt = objectOf(sent["prompt_tokens_details"]);
  const beside = sent["total_tokens"] === inputTokens.total + outputTokens.total + thinking ? thinking : 0;
  const cost = statesCost ? statedCost(sent) : null;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total + beside,
    ...cacheRead(inputTokens.cacheRead || sent["prompt_cache_hit_tokens"], sent),
    ...part("cacheWriteTokens", inputTokens.cacheWrite || prompt["cache_write_tokens"]),
    ...part("thinkingTokens", thinking),
    ...(cost === null ? {} : { statedMicrodollars: cost }),
  };
}

/** OpenRouter's price; with a key of the owner's own at the provider behind it, both prices. */
function statedCost(sent: JsonObject): number | null {
  const { cost, is_byok: ownKey } = sent;
  if (typeof cost !== "number") return null;
  const { upstream_inference_cost: upstream } = objectOf(sent["cost_details"]);
  return (cost + (ownKey === true && typeof upstream === "number" ? upstream : 0)) * 1_000_000;
}

/** A count of 0 says that nothing came from the cache; without a count that is not known. */
function cacheRead(count: unknown, sent: JsonObject): Pick<TokenUsage, "cacheReadTokens"> {
  if (typeof count === "number" && count !== 0) return { cacheReadTokens: count };
  const details = [sent, sent["prompt_tokens_details"], sent["input_tokens_details"]].map(objectOf);
  const isStated = details.some((one) => cacheNames.some((name) => typeof one[name] === "number"));
  return isStated ? { cacheReadTokens: 0 } : {};
}

/** What providers call the tokens that came from their cache. */
const cacheNames = [
  "cached_tokens",
  "cache_read_input_tokens",
  "prompt_cache_hit_tokens",
  "cachedContentTokenCount",
];

function part(name: "cacheWriteTokens" | "thinkingTokens", count: unknown) {
  return typeof count === "number" && count !== 0 ? { [name]: count } : {};
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

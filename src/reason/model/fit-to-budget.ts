import type { ModelRequest, Prices } from "./model-port.ts";
import { maxUsage, mostCostOf } from "./usage.ts";

/** Tokens below which an answer is not worth its price. */
const leastOutputTokens = 1_024;

/** The request with the longest answer that `remaining` microdollars cover; null if that is too short to be of use, or not shorter. */
export function fitToBudget(
  request: ModelRequest,
  prices: Prices | null,
  remaining: number,
): ModelRequest | null {
  const { inputTokens } = maxUsage(request);
  const input = mostCostOf({ inputTokens, outputTokens: 0 }, prices);
  const million = mostCostOf({ inputTokens, outputTokens: 1_000_000 }, prices) - input;
  const maxOutputTokens = Math.floor(((remaining - input - 1) * 1_000_000) / million);
  return maxOutputTokens >= leastOutputTokens && maxOutputTokens < request.maxOutputTokens
    ? { ...request, maxOutputTokens }
    : null;
}

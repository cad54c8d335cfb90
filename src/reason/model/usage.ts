import type { Message } from "../../signal/message.ts";
import type { ModelRequest, Prices, Provider, TokenUsage } from "./model-port.ts";

/** What an unpriced model is assumed to cost at most, so that a cap still holds. */
const priceBound: Prices = {
  inputMicrodollarsPerMillion: 15_000_000,
  outputMicrodollarsPerMillion: 75_000_000,
};

/** The prices of a model of this provider; null where they are unknown. What is free stays free for every model. */
export function pricesOf(provider: Provider, model: string): Prices | null {
  const { prices } = provider;
  if (prices === null || model === provider.model) return prices;
  const free = prices.inputMicrodollarsPerMillion === 0 && prices.outputMicrodollarsPerMillion === 0;
  return free ? prices : null;
}

/** Millionths of a dollar, rounded up; unknown prices count as the bound. */
export function costOf(usage: TokenUsage, prices: Prices | null): number {
  const { inputMicrodollarsPerMillion, outputMicrodollarsPerMillion } = prices ?? priceBound;
  const input = usage.inputTokens * inputMicrodollarsPerMillion;
  const output = usage.outputTokens * outputMicrodollarsPerMillion;
  return Math.ceil((input + output) / 1_000_000);
}

/** The most that a request is likely to use: two bytes a token, and all the output that it may have. */
export function maxUsage(request: ModelRequest): TokenUsage {
  return { inputTokens: Math.ceil(bytesOf(request) / 2), outputTokens: request.maxOutputTokens };
}

/** What a provider says was used, where that can be; null where it is negative, no number, or more than a billion tokens. */
export function credibleUsage(usage: TokenUsage | null): TokenUsage | null {
  if (usage === null) return null;
  const counts = [usage.inputTokens, usage.outputTokens];
  return counts.every((count) => count >= 0 && count <= 1_000_000_000) ? usage : null;
}

/** What a try used whose provider did not say: four bytes a token. */
export function estimateUsage(request: ModelRequest, output: string): TokenUsage {
  return {
    inputTokens: Math.ceil(bytesOf(request) / 4),
    outputTokens: Math.ceil(Buffer.byteLength(output) / 4),
  };
}

/** Size of all that a request says, in bytes. */
export function bytesOf(request: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  const { system, messages, tools } = request;
  const parts = [...messages.map((message) => sizeOf(message, textOf)), sizeOf(tools, JSON.stringify)];
  return parts.reduce((sum, size) => sum + size, Buffer.byteLength(system));
}

/** Sizes of what was met before, in bytes: a session's past is sent at each model call. */
const sizes = new WeakMap<object, number>();

function sizeOf<T extends object>(part: T, write: (part: T) => string): number {
  const size = sizes.get(part) ?? Buffer.byteLength(write(part));
  sizes.set(part, size);
  return size;
}

function textOf(message: Message): string {
  switch (message.role) {
    case "user":
    case "rejection":
      return message.text;
    case "assistant":
      return message.text + JSON.stringify(message.calls);
    case "result":
      return JSON.stringify(message.result.outcome);
  }
}

import type { Message } from "../../signal/message.ts";
import type { ModelRequest, Prices, Provider, TokenUsage } from "./model-port.ts";

/** The most that a model without known prices is assumed to cost, so that a cap still holds. */
const priceBound: Prices = {
  inputMicrodollarsPerMillion: 15_000_000,
  outputMicrodollarsPerMillion: 75_000_000,
};

/** The prices of a model of this provider; null if they are not known. A provider that is free is free for every model. */
export function pricesOf(provider: Provider, model: string): Prices | null {
  const { prices } = provider;
  if (prices === null || model === provider.model) return prices;
  const free = prices.inputMicrodollarsPerMillion === 0 && prices.outputMicrodollarsPerMillion === 0;
  return free ? prices : null;
}

/** The cost in millionths of a dollar, rounded up. Unknown prices count as the most that is assumed. */
export function costOf(usage: TokenUsage, prices: Prices | null): number {
  const { inputMicrodollarsPerMillion, outputMicrodollarsPerMillion } = prices ?? priceBound;
  const input = usage.inputTokens * inputMicrodollarsPerMillion;
  const output = usage.outputTokens * outputMicrodollarsPerMillion;
  return Math.ceil((input + output) / 1_000_000);
}

/** An upper estimate of what a request uses: a token for every two bytes of input, and all the output that it may have. */
export function maxUsage(request: ModelRequest): TokenUsage {
  return { inputTokens: Math.ceil(bytesOf(request) / 2), outputTokens: request.maxOutputTokens };
}

/** The usage that a provider reports, if it is plausible; null if a count is negative, not a number, or above a billion tokens. */
export function credibleUsage(usage: TokenUsage | null): TokenUsage | null {
  if (usage === null) return null;
  const counts = [usage.inputTokens, usage.outputTokens];
  return counts.every((count) => count >= 0 && count <= 1_000_000_000) ? usage : null;
}

/** Estimates what an attempt used whose provider did not say: a token for every four bytes. */
export function estimateUsage(request: ModelRequest, output: string): TokenUsage {
  return {
    inputTokens: Math.ceil(bytesOf(request) / 4),
    outputTokens: Math.ceil(Buffer.byteLength(output) / 4),
  };
}

/** The size of a request's text, in bytes. */
export function bytesOf(request: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  const { system, messages, tools } = request;
  const parts = [...messages.map((message) => sizeOf(message, textOf)), sizeOf(tools, JSON.stringify)];
  return parts.reduce((sum, size) => sum + size, Buffer.byteLength(system));
}

/** Sizes in bytes of messages that were measured before: the history of a session is sent with each model call. */
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

import { textOfAttachment, tokensOfFile } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelRequest, PriceOverrides, Prices } from "./model-port.ts";
import type { ReceiveResult } from "./receive-answer.ts";
import type { TokenUsage } from "./token-usage.ts";

/** The most that a model without known prices is assumed to cost, so that a cap still holds. */
const assumedPrices: Prices = {
  inputMicrodollarsPerMillion: 15_000_000,
  outputMicrodollarsPerMillion: 75_000_000,
};

/** How much more than other input it costs at most to put input into a cache, where that price is not known. */
const cacheWriteFactor = 1.25;

/**
 * The owner's prices above those of the table; null if neither has any. The owner's prices count for prompts of any length. Where the owner sets the price of
 * input and not that of the cache, input from the cache costs as much as other input, and input into it a quarter more.
 */
export function mergePrices(own: PriceOverrides, known: Prices | null): Prices | null {
  if (Object.keys(own).length === 0) return known;
  const { longerPrompts: _, ...base } = known ?? assumedPrices;
  const { inputMicrodollarsPerMillion: input } = own;
  const cache =
    input === undefined
      ? {}
      : {
          cacheReadMicrodollarsPerMillion: input,
          cacheWriteMicrodollarsPerMillion: input * cacheWriteFactor,
        };
  return { ...base, ...cache, ...own };
}

/** The cost in millionths of a dollar, rounded up: what the provider states, else by the prices. Unknown prices count as the most that is assumed. */
export function costOf(usage: TokenUsage, prices: Prices | null): number {
  if (usage.statedMicrodollars !== undefined) return Math.ceil(usage.statedMicrodollars);
  const rates = ratesOf(prices, usage.inputTokens);
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, thinkingTokens = 0 } = usage;
  const { inputMicrodollarsPerMillion: input, outputMicrodollarsPerMillion: output } = rates;
  const microdollars =
    (inputTokens - cacheReadTokens - cacheWriteTokens) * input +
    cacheReadTokens * (rates.cacheReadMicrodollarsPerMillion ?? input) +
    cacheWriteTokens * (rates.cacheWriteMicrodollarsPerMillion ?? input) +
    (outputTokens - thinkingTokens) * output +
    thinkingTokens * (rates.thinkingMicrodollarsPerMillion ?? output);
  return Math.ceil(microdollars / 1_000_000);
}

/** The most that so many tokens cost: all input is put into the cache, all output is thinking, whichever is dearer. */
export function mostCostOf({ inputTokens, outputTokens }: TokenUsage, prices: Prices | null): number {
  const rates = ratesOf(prices, inputTokens);
  return costOf(
    { inputTokens, outputTokens },
    {
      inputMicrodollarsPerMillion: Math.max(
        rates.inputMicrodollarsPerMillion,
        rates.cacheWriteMicrodollarsPerMillion ?? 0,
      ),
      outputMicrodollarsPerMillion: Math.max(
        rates.outputMicrodollarsPerMillion,
        rates.thinkingMicrodollarsPerMillion ?? 0,
      ),
    },
  );
}

/** The rates of a call with so many tokens of input. */
function ratesOf(prices: Prices | null, inputTokens: number): Prices {
  if (prices === null) {
    const cacheWrite = assumedPrices.inputMicrodollarsPerMillion * cacheWriteFactor;
    return { ...assumedPrices, cacheWriteMicrodollarsPerMillion: cacheWrite };
  }
  return prices.longerPrompts?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? prices;
}

/** An upper estimate of what a request uses: a token for every two bytes of input, and all the output that it may have. */
export function maxUsage(request: ModelRequest): TokenUsage {
  const inputTokens = Math.ceil(bytesOf(request) / 2) + tokensOfFiles(request);
  return { inputTokens, outputTokens: request.maxOutputTokens };
}

/** What an attempt used; null if it never began. */
export function usageOf(received: ReceiveResult, request: ModelRequest): TokenUsage | null {
  const reported = credibleUsage(received.ok ? received.usage : received.failure.usage);
  if (reported === null && !received.ok && !received.failure.begun) return null;
  const calls = received.ok && received.calls.length > 0 ? JSON.stringify(received.calls) : "";
  return completeUsage(reported, estimateUsage(request, received.text + calls));
}

/**
 * What a provider counted, and beside it an estimate of what it did not count or counted as nothing: no
 * request has no input.
 */
export function completeUsage(reported: TokenUsage | null, estimated: TokenUsage): TokenUsage {
  const { inputTokens, outputTokens } = reported ?? estimated;
  return {
    ...reported,
    inputTokens: inputTokens || estimated.inputTokens,
    outputTokens: outputTokens || estimated.outputTokens,
  };
}

/**
 * The usage that a provider reports, if it is plausible; null if a count is negative, not a number, or above a billion tokens, or if parts are more than the whole.
 * Without this a provider could lower its own bill below nothing.
 */
export function credibleUsage(usage: TokenUsage | null): TokenUsage | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, thinkingTokens = 0 } = usage;
  const counts = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, thinkingTokens];
  const plausible =
    counts.every((count) => count >= 0 && count <= 1_000_000_000) &&
    usage.statedMicrodollars !== Number.POSITIVE_INFINITY &&
    (usage.statedMicrodollars ?? 0) >= 0 &&
    cacheReadTokens + cacheWriteTokens <= inputTokens &&
    thinkingTokens <= outputTokens;
  return plausible ? usage : null;
}

/** Estimates what an attempt used whose provider did not say: a token for every four bytes. */
export function estimateUsage(request: ModelRequest, output: string): TokenUsage {
  return {
    inputTokens: Math.ceil(bytesOf(request) / 4) + tokensOfFiles(request),
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
    case "attachment":
      return textOfAttachment(message, false);
  }
}

/** Tokens of the files whose bytes go with a request, at most. */
function tokensOfFiles({ messages, files }: ModelRequest): number {
  return messages
    .filter((message) => message.role === "attachment" && files?.has(message.file.digest) === true)
    .reduce((sum, message) => sum + (message.role === "attachment" ? tokensOfFile(message.file) : 0), 0);
}

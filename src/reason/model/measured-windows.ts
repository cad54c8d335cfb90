import type { ModelFailure, ModelRecord, ModelRequest } from "./model-port.ts";
import { bytesOf } from "./usage.ts";

/** Tokens of a context window, and of the answer within it. */
export type WindowRoom = Pick<ModelRecord, "contextWindow" | "maxOutputTokens">;

/** What a provider said of a request that was too long: its window, null if it did not say; and how many of its tokens are one by our estimate. */
type Measured = { readonly window: number | null; readonly perEstimated: number };

/** UTF-8 bytes of a token, by which requests are estimated. */
const bytesPerToken = 3.5;
/** The part of a window that an answer gets. */
const shareOfAnswer = 1 / 4;
const windowWords = [
  /context (?:size|length|window)\D{0,40}(\d{3,})/i,
  /\((\d{3,}) tokens\)[^.(]*$/i,
  /> (\d{3,}) (?:maximum|tokens)/i,
];
const requestWords = [
  /request \((\d{3,}) tokens\)/i,
  /(\d{3,})(?: tokens)? (?:in|from) the (?:input )?(?:messages|prompt)/i,
  /resulted in (\d{3,}) tokens/i,
  /first (\d{3,}) tokens/i,
  /too long: (\d{3,}) tokens/i,
];

/**
 * What refusals tell of the windows of models. A window may be smaller than what is set, and a server may
 * count more tokens than the estimate does: both make the room smaller, in this process.
 */
export class MeasuredWindows {
  readonly #measured = new Map<string, Measured>();

  /** Notes what a provider says of a request that was too long. */
  note(provider: string, request: ModelRequest, { message }: ModelFailure): void {
    const window = numberIn(message, windowWords);
    const tokens = numberIn(message, requestWords);
    const estimated = bytesOf(request) / bytesPerToken;
    const perEstimated = Math.max(1, tokens === null ? 1 : tokens / estimated);
    if (window !== null || tokens !== null)
      this.#measured.set(keyOf(provider, request.model), { window, perEstimated });
  }

  /** The limits of a model in tokens by our estimate. */
  roomOf(provider: string, { model, contextWindow, maxOutputTokens }: ModelRecord): WindowRoom {
    const { window, perEstimated } = this.#measured.get(keyOf(provider, model)) ?? {
      window: null,
      perEstimated: 1,
    };
    const limits = limitsIn({ contextWindow, maxOutputTokens }, window);
    return {
      contextWindow: Math.floor(limits.contextWindow / perEstimated),
      maxOutputTokens: Math.floor(limits.maxOutputTokens / perEstimated),
    };
  }

  /** The record of a model with the window that its server has. */
  apply(provider: string, record: ModelRecord): ModelRecord {
    const { window = null } = this.#measured.get(keyOf(provider, record.model)) ?? {};
    return { ...record, ...limitsIn(record, window) };
  }
}

function limitsIn({ contextWindow, maxOutputTokens }: WindowRoom, window: number | null): WindowRoom {
  if (window === null || window >= contextWindow) return { contextWindow, maxOutputTokens };
  return {
    contextWindow: window,
    maxOutputTokens: Math.min(maxOutputTokens, Math.floor(window * shareOfAnswer)),
  };
}

function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}

function numberIn(text: string, patterns: readonly RegExp[]): number | null {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((digits) => digits !== undefined);
  return found === undefined ? null : Number(found);
}

import type { Clock } from "../../text/clock.ts";
import type { ModelFailure, ModelRecord, ModelRequest } from "./model-port.ts";
import { bytesOf } from "./usage.ts";

/** Tokens of a context window, and of the answer within it. */
export type WindowRoom = Pick<ModelRecord, "contextWindow" | "maxOutputTokens">;

/**
 * What a provider said of a request that was too long: its window, null if it did not say; and how many of
 * its tokens are one by our estimate.
 */
type Measured = { readonly window: number | null; readonly perEstimated: number; readonly at: number };

/** UTF-8 bytes of a token, by which requests are estimated. */
const bytesPerToken = 3.5;
/** No model has a smaller window: a smaller number in a refusal is another one. */
const leastWindow = 512;
const unmeasured: Measured = { window: null, perEstimated: 1, at: 0 };
/** Milliseconds after which a window is measured anew: its server may have been started with a larger one. */
const lasting = 600_000;
/** The part of a window that an answer gets. */
const shareOfAnswer = 1 / 4;
const windowWords = [
  /context (?:size|length|window)\D{0,40}(\d[\d,]{2,})/i,
  /\((\d[\d,]{2,}) tokens\)[^.(]*$/i,
  /> (\d[\d,]{2,}) (?:maximum|tokens)/i,
];
const requestWords = [
  /request \((\d[\d,]{2,}) tokens\)/i,
  /(\d[\d,]{2,})(?: tokens)? (?:in|from) the (?:input )?(?:messages|prompt)/i,
  /resulted in (\d[\d,]{2,}) tokens/i,
  /first (\d[\d,]{2,}) tokens/i,
  /too long: (\d[\d,]{2,}) tokens/i,
];

/**
 * What refusals tell of the windows of models. A window may be smaller than what is set, and a server may
 * count more tokens than the estimate does: both make the room smaller, the window for some minutes.
 */
export class MeasuredWindows {
  readonly #measured = new Map<string, Measured>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what a provider says of a request that was too long. */
  note(provider: string, request: ModelRequest, { message }: ModelFailure): void {
    const key = keyOf(provider, request.model);
    const known = this.#of(provider, request.model);
    const said = numberIn(message, windowWords) ?? 0;
    const window = said < leastWindow ? known.window : said;
    const tokens = numberIn(message, requestWords);
    const estimated = bytesOf(request) / bytesPerToken;
    const perEstimated = tokens === null ? known.perEstimated : Math.max(1, tokens / estimated);
    if (window !== null || tokens !== null)
      this.#measured.set(key, { window, perEstimated, at: this.#clock() });
  }

  /** The limits of a model in tokens by our estimate. */
  roomOf(provider: string, { model, contextWindow, maxOutputTokens }: ModelRecord): WindowRoom {
    const { window, perEstimated } = this.#of(provider, model);
    const limits = limitsIn({ contextWindow, maxOutputTokens }, window);
    return {
      contextWindow: Math.floor(limits.contextWindow / perEstimated),
      maxOutputTokens: Math.floor(limits.maxOutputTokens / perEstimated),
    };
  }

  /** The record of a model with the window that its server has. */
  apply(provider: string, record: ModelRecord): ModelRecord {
    return { ...record, ...limitsIn(record, this.#of(provider, record.model).window) };
  }

  #of(provider: string, model: string): Measured {
    const measured = this.#measured.get(keyOf(provider, model)) ?? unmeasured;
    return this.#clock() - measured.at < lasting ? measured : { ...measured, window: null };
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
  return found === undefined ? null : Number(found.replaceAll(",", ""));
}

/** Tokens, as the provider counted them. The parts are included in the totals; an absent part is 0. */
export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the provider had in its cache. */
  readonly cacheReadTokens?: number;
  /** The part of the input that the provider put into its cache. */
  readonly cacheWriteTokens?: number;
  /** The part of the output that is thinking. */
  readonly thinkingTokens?: number;
  /** The price of the call, where the provider states it. */
  readonly statedMicrodollars?: number;
};

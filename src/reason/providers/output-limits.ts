/** What a family of models can put out. */
export type OutputLimit = {
  /** Tokens of one answer at most, its thinking included. */
  readonly tokens: number;
  /** Whether the model thinks before it answers, and counts that as output. */
  readonly thinks: boolean;
  /**
   * Whether its thinking would come beside the tokens that an answer is asked to have, so that the price of
   * a call could not be held before it.
   */
  readonly thinksBeside?: true;
};

const limit = (pattern: RegExp, tokens: number, thinks = false) => ({ pattern, tokens, thinks });
const limitBeside = (pattern: RegExp, tokens: number) =>
  ({ pattern, tokens, thinks: true, thinksBeside: true }) as const;

/** The limits by the name of the model without its vendor; the first that matches counts. The price table has none. */
const limits: readonly (OutputLimit & { readonly pattern: RegExp })[] = [
  limit(/^claude-(?:fable|mythos|(?:opus|sonnet|haiku)-[5-9])/, 128_000, true),
  limit(/^claude-(?:opus-4[.-][678]|sonnet-4[.-]6)/, 128_000, true),
  limitBeside(/^claude-(?:(?:sonnet|haiku|opus)-4[.-]5|4[.-]5-|sonnet-4|3[.-]7)/, 64_000),
  limitBeside(/^claude-opus-4/, 32_000),
  limit(/^claude-3[.-]5/, 8_192),
  limit(/^claude-/, 4_096),
  limit(/^gpt-5[\d.-]*-chat/, 16_384),
  limit(/^gpt-(?:[5-9]|\d\d)/, 128_000, true),
  limit(/^o\d/, 100_000, true),
  limit(/^gpt-4\.1/, 32_768),
  limit(/^gpt-4o/, 16_384),
  limit(/^gpt-oss/, 32_768, true),
  limit(/^gpt-/, 4_096),
  limit(/^gemini-(?:2\.5|[3-9]|\d\d)/, 65_536, true),
  limit(/^(?:gemini|gemma)-/, 8_192),
  limit(/^llama-3\.[13]-/, 32_768),
  limit(/^deepseek-(?:reasoner|r\d|v4)/, 65_536, true),
  limit(/^qwen3/, 32_768, true),
];

/** The limit of a model's output; null if it is not known. */
export function outputLimitOf(model: string): OutputLimit | null {
  const name = model.trim().toLowerCase().split("/").at(-1) ?? "";
  return limits.find(({ pattern }) => pattern.test(name)) ?? null;
}

import { type Effort, efforts, nearestEffort } from "../model/effort.ts";
import type { ProviderProtocol } from "./endpoint.ts";
import type { OllamaModel } from "./ollama-server.ts";

/** What a family of models can put out. */
export type OutputLimit = {
  /** Tokens of one answer at most, its thinking included. */
  readonly tokens: number;
  /** How much the model can be asked to think before it answers; none for a model that does not think. */
  readonly efforts: readonly Effort[];
  /** How much it thinks where nothing is asked for, as its maker says; null where that is not said. */
  readonly usual: Effort | null;
};

const limit = (
  pattern: RegExp,
  tokens: number,
  levels: readonly Effort[] = [],
  usual: Effort | null = null,
) => ({ pattern, tokens, efforts: levels, usual });

/** Thinking that cannot be switched off. */
const always: readonly Effort[] = ["low", "medium", "high"];
/**
 * Thinking that would come beside the tokens that an answer is asked to have, so that the price of a call
 * could not be held before it: it is not asked for.
 */
const beside: readonly Effort[] = ["off"];

/** The limits by the name of the model without its vendor; the first that matches counts. The price table has none. */
const limits: readonly (OutputLimit & { readonly pattern: RegExp })[] = [
  limit(/^claude-(?:fable-5|(?:opus|sonnet)-5[.-]5)/, 128_000, always),
  limit(/^claude-(?:fable|mythos|(?:opus|sonnet|haiku)-[5-9])/, 128_000, efforts),
  limit(/^claude-(?:opus-4[.-][678]|sonnet-4[.-]6)/, 128_000, efforts, "off"),
  limit(/^claude-(?:(?:sonnet|haiku|opus)-4[.-]5|4[.-]5-|sonnet-4|3[.-]7)/, 64_000, beside, "off"),
  limit(/^claude-opus-4/, 32_000, beside, "off"),
  limit(/^claude-3[.-]5/, 8_192),
  limit(/^claude-/, 4_096),
  limit(/^gpt-5[\d.-]*-chat/, 16_384),
  limit(/^gpt-5-pro/, 128_000, ["high"], "high"),
  limit(/^gpt-5[\d.]*-pro/, 128_000, ["medium", "high"]),
  limit(/^gpt-(?:5[\d.]*-codex|6-astra|6\.1-sol)/, 128_000, always),
  limit(/^gpt-5(?![\d.])/, 128_000, always, "medium"),
  limit(/^gpt-5\.[12](?!\d)/, 128_000, efforts, "off"),
  limit(/^gpt-(?:[5-9]|\d\d)/, 128_000, efforts),
  limit(/^o\d/, 100_000, always, "medium"),
  limit(/^gpt-4\.1/, 32_768),
  limit(/^gpt-4o/, 16_384),
  limit(/^gpt-oss/, 32_768, always, "medium"),
  limit(/^gpt-/, 4_096),
  limit(/^gemini-2\.5-flash/, 65_536, efforts),
  limit(/^gemini-(?:2\.5|[3-9]|\d\d)/, 65_536, always),
  limit(/^(?:gemini|gemma)-/, 8_192),
  limit(/^llama-3\.[13]-/, 32_768),
  limit(/^deepseek-(?:reasoner|r\d|v4)/, 65_536, efforts),
  limit(/^qwen3.*-thinking/, 32_768, always),
  limit(/^qwen3/, 32_768, efforts),
];

/** The limit of a model's output; null if it is not known. */
export function outputLimitOf(model: string): OutputLimit | null {
  const name = model.trim().toLowerCase().split("/").at(-1) ?? "";
  return limits.find(({ pattern }) => pattern.test(name)) ?? null;
}

/**
 * How much a model can be asked to think; nothing for a model that is not known to think. Its Ollama server
 * knows best whether it does.
 */
export function effortsOf(model: string, served: OllamaModel | null = null): readonly Effort[] {
  if (served?.thinks === false) return [];
  if (served?.thinks === true) return served.takesLevels ? always : efforts;
  return outputLimitOf(model)?.efforts ?? [];
}

/** The packages that know the least of a model whose thinking cannot be switched off. */
const knowsLeast: ReadonlySet<ProviderProtocol> = new Set(["anthropic", "google"]);

/** How much a model is asked to think where so much is wanted; null where it is asked for nothing. */
export function effortFor(
  wanted: Effort,
  levels: readonly Effort[],
  protocol: ProviderProtocol,
): Effort | null {
  if (wanted === "off" && levels.length > 0 && knowsLeast.has(protocol)) return "off";
  return nearestEffort(wanted, levels);
}

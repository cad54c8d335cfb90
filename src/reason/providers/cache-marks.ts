import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message } from "../../signal/message.ts";
import type { ModelRequest } from "../model/model-port.ts";
import type { ProviderEndpoint } from "./endpoint.ts";

/**
 * How many messages stand before the last finished turn: the request of that turn was cached up to there,
 * and a cache looks only a few parts back from a mark, fewer than a turn with many calls has.
 */
export function lastTurnOf({
  messages,
  stableMessages,
}: Pick<ModelRequest, "messages" | "stableMessages">): number {
  return messages.findLastIndex((message, at) => at < stableMessages && beginsTurn(message));
}

function beginsTurn(message: Message): boolean {
  return message.role === "user" && message.told !== true && message.steers !== true;
}

/** Marks a message up to which the provider is to cache the prompt, where it reads marks. */
export function markForCache(
  prompt: LanguageModelV4Message[],
  index: number,
  whose: ReturnType<ProviderEndpoint["cacheMarks"]>,
): void {
  if (whose === "anthropic") markForAnthropic(prompt, index);
  if (whose === "openrouter") markForOpenRouter(prompt, index);
}

/**
 * Asks Anthropic to cache the prompt up to the end of this message: the system text with the tools, the
 * history without its last turn and with it, and what the next step of the turn sends again. Four marks are
 * the most.
 */
function markForAnthropic(prompt: LanguageModelV4Message[], index: number): void {
  const message = prompt[index];
  if (message === undefined) return;
  prompt[index] = { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
}

/**
 * Asks OpenRouter for the same. Its package reads the options of a message where it has several parts or
 * none, and of the part else.
 */
function markForOpenRouter(prompt: LanguageModelV4Message[], index: number): void {
  const message = prompt[index];
  if (message === undefined) return;
  const mark = { cache_control: { type: "ephemeral" } };
  const providerOptions = { openaiCompatible: { ...message.providerOptions?.["openaiCompatible"], ...mark } };
  const last = message.role === "user" || message.role === "tool" ? message.content.at(-1) : undefined;
  if (message.role === "user" && (last?.type === "text" || last?.type === "file")) {
    prompt[index] = { ...message, content: [...message.content.slice(0, -1), { ...last, providerOptions }] };
  } else if (message.role === "tool" && last?.type === "tool-result") {
    prompt[index] = { ...message, content: [...message.content.slice(0, -1), { ...last, providerOptions }] };
  } else prompt[index] = { ...message, providerOptions };
}

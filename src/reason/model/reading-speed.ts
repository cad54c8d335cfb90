import type { ModelCallRequest } from "./model-call.ts";
import type { Provider } from "./model-port.ts";
import type { TokenUsage } from "./token-usage.ts";
import { bytesOf } from "./usage.ts";

/**
 * Milliseconds that a local server takes for a token of the prompt where it was not measured: a slow
 * processor.
 */
const assumedPerToken = 200;
/** How many times longer than measured it may take: the machine does other work, too. */
const patience = 3;
/** Tokens below which an answer says nothing of the speed. */
const leastTokens = 200;
const bytesPerToken = 3.5;

/** How fast servers on this machine read prompts, by the slowest first token of this process. */
export class ReadingSpeed {
  readonly #perToken = new Map<string, number>();

  /** Notes after how many milliseconds an answer began. What the server had in its cache was not read. */
  note(
    provider: Pick<Provider, "name">,
    model: string,
    { inputTokens, cacheReadTokens = 0 }: TokenUsage,
    milliseconds: number,
  ): void {
    const tokens = inputTokens - cacheReadTokens;
    if (tokens < leastTokens) return;
    const key = keyOf(provider, model);
    this.#perToken.set(key, Math.max(this.#perToken.get(key) ?? 0, milliseconds / tokens));
  }

  /**
   * Milliseconds that a local server may take to read a prompt before its first token. 0 for others: they
   * read fast.
   */
  patienceFor(
    provider: Pick<Provider, "name" | "local">,
    model: string,
    request: Pick<ModelCallRequest, "system" | "messages" | "tools">,
  ): number {
    if (!provider.local) return 0;
    const measured = this.#perToken.get(keyOf(provider, model));
    const perToken = measured === undefined ? assumedPerToken : measured * patience;
    return Math.ceil((bytesOf(request) / bytesPerToken) * perToken);
  }
}

function keyOf({ name }: Pick<Provider, "name">, model: string): string {
  return JSON.stringify([name, model]);
}

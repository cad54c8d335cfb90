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
/** How many times the limit of the settings it may take unmeasured, while another provider is ready. */
const patienceBeforeOthers = 3;
/** Tokens below which an answer says nothing of the speed. */
const leastTokens = 200;
const bytesPerToken = 3.5;

/** How fast servers on this machine read prompts, by the slowest first token of this process. */
export class ReadingSpeed {
  readonly #perToken = new Map<string, number>();

  /**
   * Notes after how many milliseconds an answer began. What the server had in its cache was not read, and
   * where it does not say what that was, the answer says nothing of the speed.
   */
  note(
    provider: Pick<Provider, "name">,
    model: string,
    { inputTokens, cacheReadTokens }: TokenUsage,
    milliseconds: number,
  ): void {
    const tokens = cacheReadTokens === undefined ? 0 : inputTokens - cacheReadTokens;
    if (tokens < leastTokens) return;
    const key = keyOf(provider, model);
    this.#perToken.set(key, Math.max(this.#perToken.get(key) ?? 0, milliseconds / tokens));
  }

  /**
   * Milliseconds that a local server may take to read a prompt before its first token. 0 for others: they
   * read fast. `others`: the first-token limit of the settings where another provider is ready to answer in
   * its place, so that a server that hangs unmeasured does not hold the answer back; else null.
   */
  patienceFor(
    provider: Pick<Provider, "name" | "local">,
    model: string,
    request: Pick<ModelCallRequest, "system" | "messages" | "tools">,
    others: number | null,
  ): number {
    if (!provider.local) return 0;
    const measured = this.#perToken.get(keyOf(provider, model));
    const tokens = bytesOf(request) / bytesPerToken;
    if (measured !== undefined) return Math.ceil(tokens * measured * patience);
    const most = others === null ? Number.POSITIVE_INFINITY : others * patienceBeforeOthers;
    return Math.min(most, Math.ceil(tokens * assumedPerToken));
  }
}

function keyOf({ name }: Pick<Provider, "name">, model: string): string {
  return JSON.stringify([name, model]);
}

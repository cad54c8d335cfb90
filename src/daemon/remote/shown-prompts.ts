import type { HiddenAsker, HiddenPrompt } from "../../signal/hidden-prompt.ts";
import type { JsonObject } from "../../text/json.ts";
import { hiddenPromptOf } from "../../wire/codec/hidden-prompts.ts";

/** The hidden prompts of programs that a daemon showed this client, and what asks its owner. */
export class ShownPrompts {
  readonly #askers = new Set<HiddenAsker>();
  readonly #open = new Map<string, HiddenPrompt>();

  /** Has this ask the owner, until the result is called. */
  askThrough(asker: HiddenAsker): () => void {
    this.#askers.add(asker);
    return () => this.#askers.delete(asker);
  }

  observe(message: JsonObject): void {
    const prompt = hiddenPromptOf(message);
    if (prompt === null) return;
    if (prompt.over) this.#close(prompt);
    else {
      this.#open.set(prompt.id, prompt);
      for (const asker of this.#askers) if (asker.sees(prompt)) asker.open(prompt);
    }
  }

  /** The connection was lost: the daemon gives up what only this client showed, and shows the rest again. */
  loseAll(): void {
    for (const prompt of this.#open.values()) this.#close(prompt);
  }

  #close(prompt: HiddenPrompt): void {
    this.#open.delete(prompt.id);
    for (const asker of this.#askers) asker.close(prompt);
  }
}

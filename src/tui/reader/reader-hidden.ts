import { type HiddenPrompt, hiddenPromptRows } from "../../signal/hidden-prompt.ts";
import { describeError } from "../../text/describe-error.ts";
import type { JsonObject } from "../../text/json.ts";
import { answerRequest, hiddenPromptOf } from "../../wire/codec/hidden-prompts.ts";

type ReaderHiddenParts = {
  readonly say: (lines: readonly string[]) => void;
  readonly request: (payload: JsonObject) => void;
  /** Reads a line that is not shown; null where the person refuses. */
  readonly read: () => Promise<string | null>;
};

/** Asks for what programs hide, one prompt after the other: read out as lines, answered by a line that nobody sees. */
export class ReaderHidden {
  readonly #parts: ReaderHiddenParts;
  readonly #open = new Map<string, HiddenPrompt>();
  #isAsking = false;

  constructor(parts: ReaderHiddenParts) {
    this.#parts = parts;
  }

  /** Takes in a message; true for one about a hidden prompt. */
  observe(message: JsonObject): boolean {
    const prompt = hiddenPromptOf(message);
    if (prompt === null) return false;
    if (prompt.over) this.#close(prompt);
    else this.#open.set(prompt.id, prompt);
    if (!this.#isAsking)
      this.#askAll().catch((error: unknown) => this.#parts.say([`Notice: ${describeError(error)}`]));
    return true;
  }

  /** The connection was lost: what is still asked is shown again by the next one. */
  lose(): void {
    for (const prompt of this.#open.values()) this.#close(prompt);
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    try {
      for (let [next] = this.#open.values(); next !== undefined; [next] = this.#open.values())
        await this.#ask(next);
    } finally {
      this.#isAsking = false;
    }
  }

  async #ask(prompt: HiddenPrompt): Promise<void> {
    const [head = "", ...rest] = hiddenPromptRows(prompt);
    const foot = rest.pop() ?? "";
    const own = rest.map((row) => `${prompt.program} says: ${row.replace(/^ *│ /, "")}`);
    this.#parts.say([`Secret: ${head}`, ...own, `Secret: ${foot}`]);
    const line = await this.#parts.read();
    if (this.#open.delete(prompt.id)) this.#parts.request(answerRequest(prompt.id, line));
    else this.#parts.say([`Notice: ${prompt.program} asks no longer. Nothing was typed.`]);
  }

  #close({ id, program }: HiddenPrompt): void {
    if (this.#open.delete(id))
      this.#parts.say([`Notice: ${program} asks no longer. Press Enter; what you typed goes nowhere.`]);
  }
}

import type { Wait } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import { pauseAfterFailures } from "./pause-after.ts";

type LoopParts = {
  readonly work: () => Promise<void>;
  /** Told once as long as the words stay the same. */
  readonly failed: (words: string) => void;
  readonly wait: Wait;
  readonly cancel: AbortSignal;
};

/**
 * Work that is done again whenever something woke it, and never twice at a time. Where it fails it is done
 * again by itself, after pauses that double.
 */
export class WakingLoop {
  readonly #parts: LoopParts;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #failures = 0;
  #told: string | null = null;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  wake(): void {
    this.#isWoken = true;
    this.#running ??= this.#run();
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        await this.#parts.work();
        this.#failures = 0;
        this.#told = null;
      }
    } catch (error) {
      this.#fail(describeError(error));
    } finally {
      this.#running = null;
    }
  }

  #fail(words: string): void {
    const { failed, wait, cancel } = this.#parts;
    if (words !== this.#told) failed(words);
    this.#told = words;
    this.#failures += 1;
    void wait(pauseAfterFailures(this.#failures), cancel).then(() => {
      if (!cancel.aborted) this.wake();
    });
  }
}

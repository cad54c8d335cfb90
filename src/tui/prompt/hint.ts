/** Milliseconds for which a short word stands. */
const duration = 4_000;

/** A short word about what just happened, which goes away by itself. */
export class Hint {
  readonly #changed: () => void;
  #text = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get text(): string {
    return this.#text;
  }

  say(text: string): void {
    this.#text = text;
    this.stop();
    this.#timer = setTimeout(() => {
      this.#text = "";
      this.#changed();
    }, duration);
    this.#changed();
  }

  /** Takes a word back that is true no longer. */
  withdraw(text: string): void {
    if (this.#text !== text) return;
    this.stop();
    this.#text = "";
    this.#changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

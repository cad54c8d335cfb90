/** Milliseconds until a failed embedder is tried again: at first, and at most. */
const firstPause = 60_000;
const longestPause = 3_600_000;

/** Tracks whether the embedder works. It reports a failure once and keeps a failed embedder idle for a pause that doubles with each further failure (circuit breaker). */
export class EmbedderHealth {
  readonly #name: string;
  readonly #clock: () => number;
  readonly #report: (message: string) => void;
  #failure: string | null = null;
  #pause: number = firstPause;
  #retryAt = 0;

  constructor(name: string, clock: () => number, report: (message: string) => void) {
    this.#name = name;
    this.#clock = clock;
    this.#report = report;
  }

  /** True where a request may be sent now. */
  get isAvailable(): boolean {
    return this.#failure === null || this.#clock() >= this.#retryAt;
  }

  /** Why notes are found by their words alone, for the owner; null while the embedder works. */
  get problem(): string | null {
    return this.#failure === null
      ? null
      : `Notes were searched by their words alone: the embedding provider ${this.#name} failed (${this.#failure}).`;
  }

  succeeded(): void {
    this.#failure = null;
    this.#pause = firstPause;
  }

  failed(reason: string): void {
    if (this.#failure === null) {
      this.#report(`Notes are found by their words alone until ${this.#name} embeds again: ${reason}`);
    } else {
      this.#pause = Math.min(this.#pause * 2, longestPause);
    }
    this.#failure = reason;
    this.#retryAt = this.#clock() + this.#pause;
  }
}

/** Milliseconds between two refusals of a place, after which the command is known to wait for it. */
const patience = 5000;

/**
 * Notices that a command only waits for a place that it may not reach: it is refused there again, some time
 * after the first refusal, and printed nothing in between.
 */
export class RefusedAgain {
  readonly #clock: () => number;
  readonly #waits = new AbortController();
  readonly #since = new Map<string, number>();

  /** `clock` counts milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Aborted once that is noticed; its reason is the place. */
  get signal(): AbortSignal {
    return this.#waits.signal;
  }

  readonly printed = (): void => this.#since.clear();

  readonly refused = (place: string): void => {
    const now = this.#clock();
    const since = this.#since.get(place);
    if (since === undefined) this.#since.set(place, now);
    else if (now - since >= patience) this.#waits.abort(place);
  };
}

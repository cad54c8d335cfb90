import type { Wait } from "../../signal/clock.ts";

/** A time limit that can be started and cancelled any number of times. */
export class Deadline {
  readonly #wait: Wait;
  readonly #milliseconds: number;
  readonly #expired: () => void;
  #running: AbortController | null = null;

  /** `expired` is called when the time has passed since `start` without a `cancel`. */
  constructor(wait: Wait, milliseconds: number, expired: () => void) {
    this.#wait = wait;
    this.#milliseconds = milliseconds;
    this.#expired = expired;
  }

  /** Starts the time. A deadline that is running, or has expired and was not cancelled, goes on as it is. */
  start(): void {
    if (this.#running !== null) return;
    const running = new AbortController();
    this.#running = running;
    void this.#wait(this.#milliseconds, running.signal).then(() => {
      if (!running.signal.aborted) this.#expired();
    });
  }

  cancel(): void {
    this.#running?.abort();
    this.#running = null;
  }
}

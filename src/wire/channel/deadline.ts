import type { Wait } from "../../text/clock.ts";

/** A limit is waited for in so many parts, and the event loop reads sockets between them: time for which this process was busy does not count against a peer. */
const parts = 5;

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
    void this.#waitFor(running.signal);
  }

  async #waitFor(cancelled: AbortSignal): Promise<void> {
    for (let part = 0; part < parts && !cancelled.aborted; part += 1) {
      await this.#wait(this.#milliseconds / parts, cancelled);
    }
    if (!cancelled.aborted) this.#expired();
  }

  cancel(): void {
    this.#running?.abort();
    this.#running = null;
  }
}

import type { LoopEvent, LoopListener } from "../signal/loop-event.ts";

/** The listeners of a loop. A listener that throws is reported; the turn and the other listeners go on. */
export class EventListeners {
  readonly #listeners = new Set<LoopListener>();
  readonly #report: (message: string) => void;

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  /** Adds a listener; gives the function that removes it. */
  subscribe(listener: LoopListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: LoopEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#report(`A client's listener failed on ${event.type}: ${String(error)}`);
      }
    }
  }
}

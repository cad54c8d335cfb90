/**
 * What the programs of a run did until now: milliseconds of processor time, and when they changed a file
 * last.
 */
export type WorkDone = { readonly processor: number; readonly changed: number };

/** Milliseconds between two refusals of a place, after which the command may only wait for it. */
const patience = 5000;
/** The share of one processor from which on programs work, and do not only ask again. */
const leastShare = 0.25;

/** A first refusal: when it was, and what the programs had done by then. */
type Refusal = { readonly at: number; readonly work: Promise<WorkDone> };

/**
 * Notices that a command only waits for a place that it may not reach: it is refused there again, some time
 * after the first refusal, and in between it printed nothing, changed no file and used little processor time.
 */
export class RefusedAgain {
  readonly #clock: () => number;
  readonly #measure: () => Promise<WorkDone>;
  readonly #waits = new AbortController();
  readonly #since = new Map<string, Refusal>();

  /** `clock` counts milliseconds; `measure` tells what the programs did until now. */
  constructor(clock: () => number, measure: () => Promise<WorkDone>) {
    this.#clock = clock;
    this.#measure = measure;
  }

  /** Aborted once that is noticed; its reason is the place. */
  get signal(): AbortSignal {
    return this.#waits.signal;
  }

  readonly printed = (): void => this.#since.clear();

  /** Resolves when it is known whether the command only waits for this place. */
  readonly refused = async (place: string): Promise<void> => {
    const now = this.#clock();
    const since = this.#since.get(place);
    if (since !== undefined && now - since.at < patience) return;
    const refusal = { at: now, work: this.#measure() };
    this.#since.set(place, refusal);
    if (since === undefined) return;
    const [before, after] = await Promise.all([since.work, refusal.work]);
    const hasWorked =
      after.changed > before.changed || after.processor - before.processor > leastShare * (now - since.at);
    if (!hasWorked && this.#since.get(place) === refusal) this.#waits.abort(place);
  };
}

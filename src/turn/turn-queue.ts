import type { Signal } from "../signal/signal.ts";
import type { Wait } from "../text/clock.ts";
import { describeError } from "../text/describe-error.ts";

/** A turn, as the queue knows it. */
export type QueuedTurn = {
  readonly id: string;
  readonly session: string;
  readonly signal: Pick<Signal, "person">;
};

/** Turns that do not begin for a moment. */
export type PausedTurns = {
  /** Resolves when no turn runs any more; some may wait to. */
  readonly quiet: Promise<void>;
  readonly resume: () => void;
};

/** Runs turns: one at a time in a session, sessions side by side. */
export class TurnQueue {
  readonly #run: (id: string) => Promise<void>;
  readonly #report: (message: string) => void;
  /** The end of the last turn of each session. */
  readonly #tails = new Map<string, Promise<void>>();
  /** Turns that run or wait to run, each with its end. */
  readonly #ends = new Map<string, Promise<void>>();
  /** Turns that wait to run, with their session, in their order. */
  readonly #waiting = new Map<string, string>();
  /** Turns that will not run, each with the moment from which its state says so. */
  readonly #withdrawn = new Map<string, Promise<void>>();
  /** Resolves when turns of persons may begin again; null where they may. */
  #paused: PromiseWithResolvers<void> | null = null;
  #running = new Set<Promise<void>>();

  constructor({ run, report }: { run: (id: string) => Promise<void>; report: (message: string) => void }) {
    this.#run = run;
    this.#report = report;
  }

  /** Runs a turn after those of its session that were added before. */
  add({ id, session, signal }: QueuedTurn): void {
    const before = this.#tails.get(session) ?? Promise.resolve();
    this.#waiting.set(id, session);
    const end = before
      .then(async () => {
        // What nobody said serves a turn that runs, or a job: it is not held up.
        while (this.#paused !== null && signal.person !== "nobody") await this.#paused.promise;
        if (this.#waiting.delete(id)) await this.#begin(id);
        await this.#withdrawn.get(id);
      })
      .catch((error: unknown) => this.#report(`Turn ${id} failed: ${describeError(error)}`));
    this.#tails.set(session, end);
    this.#ends.set(id, end);
    void end.finally(() => {
      if (this.#ends.get(id) === end) this.#ends.delete(id);
      this.#withdrawn.delete(id);
      if (this.#tails.get(session) === end) this.#tails.delete(session);
    });
  }

  async #begin(id: string): Promise<void> {
    const run = this.#run(id);
    this.#running.add(run);
    await run.finally(() => this.#running.delete(run));
  }

  /** From now on what persons say waits, until `resume`; what runs goes on. */
  pause(): PausedTurns {
    this.#paused ??= Promise.withResolvers();
    return { quiet: this.#whenQuiet(), resume: () => this.resume() };
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = null;
  }

  async #whenQuiet(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }

  /** Adds a turn, unless it runs or waits to run. */
  addOnce(turn: QueuedTurn): void {
    if (!this.#ends.has(turn.id)) this.add(turn);
  }

  /** The turns that wait to run in a session, in their order. */
  waitingIn(session: string): readonly string[] {
    return [...this.#waiting].flatMap(([id, its]) => (its === session ? [id] : []));
  }

  /**
   * A turn that waits to run will not. Its end does not come before `isTold`, when its state says what
   * became of it.
   */
  withdraw(id: string, isTold: Promise<void>): void {
    if (this.#waiting.delete(id)) this.#withdrawn.set(id, isTold);
  }

  /** When a turn has run; undefined for a turn that neither runs nor waits to run. */
  endOf(id: string): Promise<void> | undefined {
    return this.#ends.get(id);
  }

  /** Resolves when no turn runs or waits to run. */
  async whenIdle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled([...this.#tails.values()]);
  }

  /** Resolves when what is in the queue now has run, or after so many milliseconds. */
  async settleWithin(milliseconds: number, wait: Wait): Promise<void> {
    const over = new AbortController();
    const all = Promise.allSettled([...this.#tails.values()]);
    await Promise.race([all, wait(milliseconds, over.signal)]);
    over.abort();
  }
}

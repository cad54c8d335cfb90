import type { Turn } from "../signal/turn.ts";

/** A turn that runs now, with the way to cancel it. */
export type RunningTurn = { readonly turn: Turn; readonly cancel: AbortController };

/** The turns that run now: at most one in each session. */
export class RunningTurns {
  readonly #bySession = new Map<string, RunningTurn>();

  /** Gives the signal that cancels the turn. */
  begin(turn: Turn): AbortSignal {
    const cancel = new AbortController();
    this.#bySession.set(turn.session, { turn, cancel });
    return cancel.signal;
  }

  end({ session }: Turn): void {
    this.#bySession.delete(session);
  }

  inSession(session: string): RunningTurn | undefined {
    return this.#bySession.get(session);
  }

  cancelAll(reason: unknown): void {
    for (const { cancel } of this.#bySession.values()) cancel.abort(reason);
  }
}

import type { LoopEvent } from "../../signal/loop-event.ts";

/** What a client of a daemon knows of the turns that it was told of. */
export type RemoteTurns = {
  /** Takes in what came; false for the end of a turn that is known to have ended, and for a question that is open and known. */
  readonly observe: (event: LoopEvent) => boolean;
  /** Resolves once the turn is final or suspended, as far as was heard. */
  readonly settled: (turn: string) => Promise<void>;
  /** Counts what was heard so far, for `goesOn`. */
  readonly observedCount: () => number;
  /** A decision that was sent at that moment set the turn going, so a question heard before is answered. */
  readonly markResumed: (turn: string, since: number) => void;
  /** The turns that somebody waits for. */
  readonly awaited: () => readonly string[];
  /** Withdraws what streamed of turns that have not ended: the rest of it may never come. */
  readonly withdraw: (reason: string) => readonly LoopEvent[];
  /** Waits for nothing any more. */
  readonly releaseAll: () => void;
};

type Known = {
  readonly session: string;
  rests: "no" | "suspended" | "final";
  restsSince: number;
  /** When the question that was heard last expires: no two of a turn have the same. */
  asked: number;
  streams: boolean;
  waiters: (() => void)[];
};

/** Begins with no turn known. */
export function makeRemoteTurns(): RemoteTurns {
  const turns = new Map<string, Known>();
  const now = { moment: 0 };
  const known = (turn: string, session: string): Known => {
    const found = turns.get(turn);
    if (found !== undefined) return found;
    const made: Known = { session, rests: "no", restsSince: 0, asked: 0, streams: false, waiters: [] };
    turns.set(turn, made);
    return made;
  };
  const release = (turn: Known): void => {
    const { waiters } = turn;
    turn.waiters = [];
    for (const resolve of waiters) resolve();
  };
  return {
    observe(event) {
      now.moment += 1;
      const turn = known(event.turn, event.session);
      const rests = restOf(event);
      if (turn.rests === "final") return rests !== "final";
      if (event.type === "approval-required") {
        if (turn.rests === "suspended" && turn.asked === event.expiresAt) return false;
        turn.asked = event.expiresAt;
      }
      turn.rests = rests;
      turn.restsSince = now.moment;
      if (event.type === "text") turn.streams = !event.reset;
      else if (event.type !== "accepted") turn.streams = false;
      if (rests !== "no") release(turn);
      return true;
    },
    settled(id) {
      const turn = known(id, "");
      return turn.rests === "no"
        ? new Promise((resolve) => void turn.waiters.push(resolve))
        : Promise.resolve();
    },
    observedCount: () => now.moment,
    markResumed(id, since) {
      const turn = turns.get(id);
      if (turn?.rests === "suspended" && turn.restsSince <= since) turn.rests = "no";
    },
    awaited: () => [...turns].filter(([, { waiters }]) => waiters.length > 0).map(([id]) => id),
    withdraw: (reason) =>
      [...turns]
        .filter(([, { streams }]) => streams)
        .map(([turn, one]) => {
          one.streams = false;
          return { type: "text", session: one.session, turn, text: reason, reset: true };
        }),
    releaseAll() {
      for (const turn of turns.values()) release(turn);
    },
  };
}

function restOf({ type }: LoopEvent): Known["rests"] {
  switch (type) {
    case "answered":
    case "blocked":
    case "failed":
    case "stopped":
      return "final";
    case "approval-required":
      return "suspended";
    case "accepted":
    case "thinking":
    case "text":
    case "proposed":
    case "verdict":
    case "outcome":
      return "no";
  }
}

import type { LoopEvent } from "../../signal/loop-event.ts";

type RemoteTurn = {
  readonly session: string;
  rest: "none" | "suspended" | "final";
  /** The count of events when it came to rest. */
  restedAt: number;
  /** When the last question expires: no two questions of a turn expire at the same time. */
  questionExpiresAt: number;
  streams: boolean;
  waiters: (() => void)[];
};

/** What a client of a daemon knows of the turns that it was told of. */
export class RemoteTurns {
  readonly #turns = new Map<string, RemoteTurn>();
  #observed = 0;

  /** Takes in an event. False for the end of a turn that is known to have ended, and for a question that is open and known. */
  observe(event: LoopEvent): boolean {
    this.#observed += 1;
    const turn = this.#turn(event.turn, event.session);
    const rest = restAfter(event);
    if (turn.rest === "final") return rest !== "final";
    if (event.type === "approval-required") {
      if (turn.rest === "suspended" && turn.questionExpiresAt === event.expiresAt) return false;
      turn.questionExpiresAt = event.expiresAt;
    }
    turn.rest = rest;
    turn.restedAt = this.#observed;
    if (event.type === "text") turn.streams = !event.reset;
    else if (event.type !== "accepted" && event.type !== "thought") turn.streams = false;
    if (rest !== "none") release(turn);
    return true;
  }

  /** Resolves once the turn is final or suspended, as far as is known. */
  whenSettled(id: string): Promise<void> {
    const turn = this.#turn(id, "");
    if (turn.rest !== "none") return Promise.resolve();
    return new Promise((resolve) => void turn.waiters.push(resolve));
  }

  /** How many events were observed so far, for `markResumed`. */
  get observedCount(): number {
    return this.#observed;
  }

  /** A decision that was sent at that count resumed the turn, so a question that was observed before is answered. */
  markResumed(id: string, since: number): void {
    const turn = this.#turns.get(id);
    if (turn?.rest === "suspended" && turn.restedAt <= since) turn.rest = "none";
  }

  /** The turns that somebody waits for. */
  awaited(): readonly string[] {
    return [...this.#turns].filter(([, { waiters }]) => waiters.length > 0).map(([id]) => id);
  }

  /** Withdraws what streamed of turns that have not ended: the rest of it may never come. */
  withdrawStreams(reason: string): readonly LoopEvent[] {
    return [...this.#turns]
      .filter(([, { streams }]) => streams)
      .map(([id, turn]) => {
        turn.streams = false;
        return { type: "text", session: turn.session, turn: id, text: reason, reset: true };
      });
  }

  /** Resolves every `whenSettled`: nothing is waited for any more. */
  releaseAll(): void {
    for (const turn of this.#turns.values()) release(turn);
  }

  #turn(id: string, session: string): RemoteTurn {
    const known = this.#turns.get(id);
    if (known !== undefined) return known;
    const turn: RemoteTurn = {
      session,
      rest: "none",
      restedAt: 0,
      questionExpiresAt: 0,
      streams: false,
      waiters: [],
    };
    this.#turns.set(id, turn);
    return turn;
  }
}

function release(turn: RemoteTurn): void {
  const { waiters } = turn;
  turn.waiters = [];
  for (const resolve of waiters) resolve();
}

function restAfter({ type }: LoopEvent): RemoteTurn["rest"] {
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
    case "thought":
    case "text":
    case "proposed":
    case "verdict":
    case "output":
    case "outcome":
      return "none";
  }
}

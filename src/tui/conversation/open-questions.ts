import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { isEnd, type LoopEvent } from "../../signal/loop-event.ts";

/** The questions that wait, of all sessions, by their turn and in the order in which they came. */
export class OpenQuestions {
  readonly #all = new Map<string, ApprovalQuestion>();
  /** The session that is open. */
  session = "";

  /** Takes in what happens in a turn; true where a question of this session was answered, and not here. */
  observe(event: LoopEvent): boolean {
    if (event.type === "approval-required") this.#all.set(event.turn, event);
    else return this.#all.delete(event.turn) && !isEnd(event) && event.session === this.session;
    return false;
  }

  /** Those of this session. */
  get own(): ReadonlyMap<string, ApprovalQuestion> {
    return new Map([...this.#all].filter(([, { session }]) => session === this.session));
  }

  /** How many wait in other sessions. */
  get elsewhere(): number {
    return this.#all.size - this.own.size;
  }

  /** The question of a turn is answered here. */
  remove(turn: string): void {
    this.#all.delete(turn);
  }
}

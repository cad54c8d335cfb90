import { outcomeOf } from "../calls/call.ts";
import type { CallBlock } from "../calls/call-block.ts";
import type { PastTurn } from "../calls/past-turn.ts";

type Fold = "folded" | "unfolded";

/** Where a call stands: a model may use an id again, also in one turn. */
export type CallPlace = { readonly turn: string; readonly id: string };

/** The calls that a conversation shows. */
export class ShownCalls {
  readonly #ofTurns = new Map<string, (readonly [id: string, block: CallBlock])[]>();
  readonly #folds: { output: Fold; gates: Fold } = { output: "folded", gates: "folded" };

  add({ turn, id }: CallPlace, block: CallBlock): void {
    const ofTurn = this.#ofTurns.get(turn) ?? [];
    ofTurn.push([id, block]);
    this.#ofTurns.set(turn, ofTurn);
  }

  /** The last call of an id in a turn. */
  find({ turn, id }: CallPlace): CallBlock | undefined {
    return this.#ofTurns.get(turn)?.findLast(([call]) => call === id)?.[1];
  }

  /** Unfolds every output, or the lines of all gates; the next time folds them. */
  toggleFold(what: "output" | "gates"): void {
    this.#folds[what] = this.#folds[what] === "folded" ? "unfolded" : "folded";
    for (const [, block] of [...this.#ofTurns.values()].flat()) block[what] = this.#folds[what];
  }

  /** Whether it is not known of some call what came of it. */
  get areOpen(): boolean {
    return [...this.#ofTurns.values()].flat().some(([, block]) => !block.isSettled);
  }

  /**
   * Brings the calls of these turns up to date: what came of those whose end was not heard, and what is
   * undone now. Of an id that came several times the last calls are told for certain; one that still runs is
   * not told.
   */
  learn(turns: readonly PastTurn[]): void {
    for (const { id, steps, ended } of turns) {
      const left = [...steps];
      const blocks = this.#ofTurns.get(id) ?? [];
      const countOf = (call: string) => blocks.filter(([other]) => other === call).length;
      for (const [call, block] of blocks.toReversed()) {
        const told = steps.filter((step) => step.call === call).length;
        if (!block.isSettled && !ended && told < countOf(call)) continue;
        const at = left.findLastIndex((step) => step.call === call);
        const [step] = at < 0 ? [] : left.splice(at, 1);
        if (step === undefined) continue;
        if (!block.isSettled) block.update({ outcome: outcomeOf(step, null) });
        if (step.undone !== (block.call.undone ?? null)) block.update({ undone: step.undone });
      }
    }
  }

  clear(): void {
    this.#ofTurns.clear();
  }
}

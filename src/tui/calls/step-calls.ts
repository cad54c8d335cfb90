import type { Action } from "../../signal/action.ts";
import type { Verdict } from "../../signal/verdict.ts";
import type { Call, Outcome } from "./call.ts";

/** A call as it is shown or read out; it changes by what becomes known of it. */
export type ShownCall = {
  readonly call: Call;
  readonly update: (known: Partial<Call>) => void;
};

/** Which of the questions of a step is asked now: of 3 calls that ask, the first is 1 of 3. */
export type PlaceInStep = { readonly at: number; readonly of: number };

/** The calls of a turn's present step, and the one whose question waits. */
type Step = {
  readonly calls: ShownCall[];
  readonly asking: Set<ShownCall>;
  asked: ShownCall | null;
  /** Some of what came of them was not heard. */
  missed: boolean;
};

/** What became of the calls of each turn's present step: what has no outcome when the step ends was denied, or not done. */
export class StepCalls {
  readonly #steps = new Map<string, Step>();
  /** The depth of each turn, as the daemon said it last. */
  readonly #depths = new Map<string, number>();

  add(turn: string, block: ShownCall): void {
    this.#stepOf(turn).calls.push(block);
  }

  /** Whether a call of the present step has no outcome yet: the daemon proposes it anew when it judges it again. */
  isOpen(turn: string, block: ShownCall): boolean {
    return block.call.outcome === null && this.#steps.get(turn)?.calls.includes(block) === true;
  }

  judge(turn: string, block: ShownCall, verdict: Verdict["decision"]): void {
    const step = this.#stepOf(turn);
    if (verdict === "ask") step.asking.add(block);
    this.finish(turn, block);
  }

  /** A question waits: its call is the first of this action that has no outcome. */
  ask(turn: string, action: Action): void {
    const step = this.#stepOf(turn);
    const asked = JSON.stringify(action);
    step.asked =
      step.calls.find(({ call }) => call.outcome === null && JSON.stringify(call.action) === asked) ?? null;
    if (step.asked !== null) step.asking.add(step.asked);
  }

  /** Something came of a call: its question, if it had one, is answered. */
  finish(turn: string, block: ShownCall): void {
    const step = this.#steps.get(turn);
    if (step?.asked === block) step.asked = null;
  }

  /** The place of the question that waits; null where the step asks no other. */
  placeOf(turn: string): PlaceInStep | null {
    const { asked, asking, calls } = this.#stepOf(turn);
    if (asked === null || asking.size < 2) return null;
    return { at: calls.filter((call) => asking.has(call)).indexOf(asked) + 1, of: asking.size };
  }

  /**
   * The turn thinks, at this depth: at a new one its last step is over, and a question that waited was
   * denied. At the same depth something is told while the step goes on.
   */
  think(turn: string, depth: number): void {
    const isNew = depth > (this.#depths.get(turn) ?? -1);
    this.#depths.set(turn, depth);
    if (isNew) this.#settle(turn, "denied");
  }

  /** The turn ended. */
  end(turn: string, code: string): void {
    this.#settle(turn, code === "denied" ? "denied" : "not done");
    this.#depths.delete(turn);
  }

  /** The connection was lost: of what has no outcome now, nobody can say here what became of it. */
  lose(): void {
    for (const step of this.#steps.values()) {
      step.missed = true;
      step.asked = null;
    }
  }

  #settle(turn: string, asked: "denied" | "not done"): void {
    const step = this.#steps.get(turn);
    this.#steps.delete(turn);
    for (const block of step?.calls ?? []) {
      if (block.call.outcome !== null) continue;
      const isAsked = block === step?.asked;
      if (step?.missed === true && !isAsked) continue;
      block.update({ outcome: withoutRun(isAsked ? asked : "not done") });
    }
  }

  #stepOf(turn: string): Step {
    const found = this.#steps.get(turn);
    if (found !== undefined) return found;
    const step: Step = { calls: [], asking: new Set(), asked: null, missed: false };
    this.#steps.set(turn, step);
    return step;
  }
}

function withoutRun(state: "denied" | "not done"): Outcome {
  return { state, content: null, code: "", milliseconds: null };
}

import type { Effect } from "./effect.ts";
import type { Facts } from "./facts.ts";

/** One gate's answer to one effect, or to several effects with the same answer. */
export type TraceLine = {
  readonly gate: string;
  readonly result: "passed" | "approval" | "blocked";
  readonly reason: string;
  readonly effects: readonly number[];
};

/** An objection that a licence could discharge. */
export type Ask = {
  readonly gate: string;
  readonly code: string;
  readonly effectIndex: number;
  /** A trial discharges it: what the action changes there is judged before it is kept. */
  readonly trial?: true;
};

/** The judge's decision with its reasons. No action has this shape. */
export type Verdict = {
  /** `trial`: an ask that a trial can discharge. */
  readonly decision: "pass" | "trial" | "ask" | "block";
  /** The reasons that decided; empty for a pass. */
  readonly reason: string;
  readonly trace: readonly TraceLine[];
  /** The asks that no licence discharged. */
  readonly asks: readonly Ask[];
  /** What would pass instead, in words for the model; left out for a pass, and where nothing is known to. */
  readonly instead?: string;
};

/** The port through which every stage gets a verdict. Pure and total. */
export type Judge = (effects: readonly Effect[], facts: Facts) => Verdict;

import type { Effect } from "./effect.ts";
import type { Facts } from "./facts.ts";

/** One gate's answer to one effect, or several effects that it answered alike. */
export type TraceLine = {
  readonly gate: string;
  readonly result: "passed" | "approval" | "blocked";
  readonly reason: string;
  readonly effects: readonly number[];
};

/** An objection that a licence could discharge. */
export type Ask = { readonly gate: string; readonly code: string; readonly effectIndex: number };

/** The judge's word. A type of its own that no action can look like. */
export type Verdict = {
  readonly decision: "pass" | "ask" | "block";
  /** The deciding reasons in one sentence or more; empty for a pass. */
  readonly reason: string;
  readonly trace: readonly TraceLine[];
  /** The asks that are not discharged. */
  readonly asks: readonly Ask[];
};

/** The port through which every stage asks for a verdict. Pure and total. */
export type Judge = (effects: readonly Effect[], facts: Facts) => Verdict;

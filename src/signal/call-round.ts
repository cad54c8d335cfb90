import type { Json } from "../text/json.ts";
import type { Label } from "./label.ts";

/** One round of a call that goes on by what it got: the tools that were called in it, what each gave, and the label of all that. */
export type CallRound = {
  readonly tools: readonly string[];
  readonly results: readonly Json[];
  readonly label: Label;
};

/** The rounds of a call that has no result yet: the index of its answer among the messages of the turn, its id there, and what was done. */
export type CallRounds = {
  readonly answer: number;
  readonly call: string;
  readonly done: readonly CallRound[];
};

/** What was done of a call that ended after some rounds, in a sentence; empty where nothing was. */
export function describeRounds(rounds: readonly CallRound[]): string {
  const tools = [...new Set(rounds.flatMap((round) => round.tools))];
  return tools.length === 0 ? "" : ` What it called before was done: ${tools.join(", ")}.`;
}

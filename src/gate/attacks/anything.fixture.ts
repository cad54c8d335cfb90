import type { Verdict } from "../../signal/verdict.ts";
import { builtInGates } from "../built-in.ts";
import { type Gates, judge } from "../judge.ts";

/** Judges values of any shape, as they would come from code that broke its types. */
export function judgeAnything(effects: unknown, facts: unknown, gates: unknown = builtInGates): Verdict {
  return judge(gates as Gates, effects as never, facts as never);
}

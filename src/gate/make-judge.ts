import type { Judge } from "../signal/verdict.ts";
import { type Gates, judge } from "./judge.ts";

/** The judge over one set of gates, which is taken as it is now: changing the lists later changes nothing. */
export function makeJudge(gates: Gates): Judge {
  const taken: Gates = { owners: { ...gates.owners }, others: [...gates.others] };
  return (effects, facts) => judge(taken, effects, facts);
}

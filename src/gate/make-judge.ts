import type { Judge } from "../signal/verdict.ts";
import { type Gates, judge } from "./judge.ts";

/** Makes the judge of one set of gates. The set is copied, so later changes to the lists have no effect. */
export function makeJudge(gates: Gates): Judge {
  const fixed: Gates = { owners: { ...gates.owners }, others: [...gates.others] };
  return (effects, facts) => judge(fixed, effects, facts);
}

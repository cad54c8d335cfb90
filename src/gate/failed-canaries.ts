import type { Effect } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import type { Judge } from "../signal/verdict.ts";
import { canaries } from "./canaries.ts";

/** The names of the canaries that a judge does not block. Any of them makes the agent unhealthy. A judge that throws fails them all. */
export function failedCanaries(judge: Judge): readonly string[] {
  return canaries.filter(({ effects, facts }) => !blocks(judge, effects, facts)).map(({ name }) => name);
}

function blocks(judge: Judge, effects: readonly Effect[], facts: Facts): boolean {
  try {
    return judge(effects, facts).decision === "block";
  } catch {
    return false;
  }
}

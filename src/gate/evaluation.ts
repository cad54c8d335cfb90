import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** The owner gate of evaluation. It passes in the jail and blocks elsewhere. */
export const evaluation: Gate = {
  name: "evaluation",
  priority: 500,
  revision: 1,
  answer(effect) {
    if (effect.kind !== "evaluate") return { result: "not-concerned" };
    return effect.jailed === true
      ? { result: "passed", reason: "evaluated in the jail, without files, network or processes" }
      : {
          result: "block",
          code: "unjailed",
          reason: `${oneLine(effect.language)} would be evaluated outside the jail`,
        };
  },
};

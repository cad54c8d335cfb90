import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** A model call is sent only after the most that it may cost was reserved under every cap. */
export const budget: Gate = {
  name: "budget",
  priority: 550,
  revision: 1,
  answer(effect) {
    if (effect.kind !== "call-model") return { result: "not-concerned" };
    const reserved = effect.reservedMicrodollars;
    if (reserved !== null && reserved >= 0)
      return { result: "passed", reason: `$${(reserved / 1_000_000).toFixed(4)} are reserved` };
    return {
      result: "block",
      code: "over-budget",
      reason: `no money could be reserved for a call to ${oneLine(effect.target)}: raise the budget or wait`,
    };
  },
};

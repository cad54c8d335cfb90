import type { Gate } from "./judge.ts";

/** While the agent is unhealthy, it answers its owner but does not act. */
export const health: Gate = {
  name: "health",
  priority: 950,
  revision: 1,
  answer(effect, { healthy }) {
    if (healthy === true) return { result: "not-concerned" };
    const answers =
      effect.kind === "call-model" || (effect.kind === "tell-person" && effect.person === "owner");
    return answers
      ? { result: "passed", reason: "answering is allowed while unhealthy" }
      : {
          result: "block",
          code: "unhealthy",
          reason: "the agent is unhealthy and does not act: run `passepartout doctor` to see why",
        };
  },
};

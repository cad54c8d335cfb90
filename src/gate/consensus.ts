import { escapeInvisible } from "../text/escape-invisible.ts";
import type { Gate } from "./judge.ts";

/** A critical step that other models would do otherwise is put to the owner. What they said is a fact about the call. */
export const consensus: Gate = {
  name: "consensus",
  priority: 690,
  revision: 1,
  answer(_effect, { disagreement }, index) {
    if (disagreement === undefined || index > 0) return { result: "not-concerned" };
    if (disagreement.trim() === "")
      return {
        result: "block",
        code: "malformed-consensus",
        reason: "what the other models said is not known",
      };
    return {
      result: "ask",
      code: "no-consensus",
      reason: `the models that you set for such steps do not agree: ${escapeInvisible(disagreement)}`,
    };
  },
};

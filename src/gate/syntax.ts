import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** A file that its parser can read is not replaced by one that it cannot: the reason goes back to the model, which can mend its text. The owner's own commands are not concerned. Where a person wants such a text, it is written as a new file. */
export const syntax: Gate = {
  name: "syntax",
  priority: 450,
  revision: 1,
  answer(effect, { action }) {
    if (effect.kind !== "write-path" || effect.breaks === undefined || action.kind === "command")
      return { result: "not-concerned" };
    const target = oneLine(effect.target);
    return {
      result: "block",
      code: "breaks-syntax",
      reason: `${target} is valid now and would not be any more: ${oneLine(effect.breaks)}. Make all changes that belong together in one call; what is meant to be invalid is written as a new file`,
    };
  },
};

import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** Blocks an action whose form has problems or that names no actuator. */
export const messageValidity: Gate = {
  name: "message-validity",
  priority: 1000,
  revision: 1,
  answer(_effect, { action }) {
    if (action.problems.length > 0) {
      const problems = action.problems.slice(0, 5).map(oneLine).join("; ");
      return { result: "block", code: "malformed", reason: `the action is not well formed: ${problems}` };
    }
    if (action.target.trim() === "") {
      return {
        result: "block",
        code: "no-target",
        reason: "the action names no target: name one, such as tool",
      };
    }
    return { result: "passed", reason: "the action is well formed" };
  },
};

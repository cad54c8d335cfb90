import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** Applies the permission of a tool to its proposals: denied tools block, others ask or pass. Passing covers no effect. */
export const toolPermissions: Gate = {
  name: "tool-permissions",
  priority: 800,
  revision: 1,
  answer(_effect, { action, permission }) {
    if (action.kind !== "proposal") return { result: "not-concerned" };
    const name = oneLine(action.tool ?? action.target);
    switch (permission) {
      case "allow":
        return action.tool === null
          ? { result: "not-concerned" }
          : { result: "passed", reason: `${name} is allowed, and its effects are judged` };
      case "ask":
        return { result: "ask", code: "tool-asks", reason: `${name} may only be used when you say so` };
      case "deny":
        return { result: "block", code: "tool-denied", reason: `${name} is denied by your settings` };
      default:
        return { result: "block", code: "tool-denied", reason: `the permission of ${name} is unknown` };
    }
  },
};

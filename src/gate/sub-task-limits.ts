import type { Effect } from "../signal/effect.ts";
import { isInside } from "../text/is-inside.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** A sub-task does only what was handed to it: it calls no other tool, touches nothing outside of its folder, and speaks to nobody but the turn that began it. */
export const subTaskLimits: Gate = {
  name: "sub-task-limits",
  priority: 850,
  revision: 1,
  answer(effect, { action, subTask }) {
    if (subTask === undefined) return { result: "not-concerned" };
    if (action.tool === null)
      return {
        result: "block",
        code: "sub-task-speaks",
        reason: "a sub-task tells nobody anything: its answer goes to the turn that began it",
      };
    if (!subTask.tools.includes(action.tool))
      return {
        result: "block",
        code: "not-delegated",
        reason: `the sub-task was not given the tool ${oneLine(action.tool)}, only ${subTask.tools.map(oneLine).join(", ") || "none"}`,
      };
    const { folder } = subTask;
    if (folder !== null && isOutside(effect, folder))
      return {
        result: "block",
        code: "outside-sub-task",
        reason: `${oneLine(effect.target)} is outside of the folder of the sub-task, ${oneLine(folder)}`,
      };
    return { result: "passed", reason: "the sub-task was given this" };
  },
};

function isOutside({ kind, target }: Effect, folder: string): boolean {
  switch (kind) {
    case "read-path":
    case "write-path":
    case "delete-path":
      return !isInside(folder, target);
    case "run-program":
    case "reach-host":
    case "tell-person":
    case "call-model":
    case "change-memory":
    case "evaluate":
    case "use-service":
      return false;
    default:
      return kind satisfies never;
  }
}

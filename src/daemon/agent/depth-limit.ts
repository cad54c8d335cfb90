import type { Policy } from "../../settings/policy.ts";
import type { Signal } from "../../signal/signal.ts";
import { subTaskOf } from "../../signal/sub-task.ts";

/** The depth at which the turn of a signal stops. */
export function depthLimitOf(signal: Signal, { config }: Policy): number {
  const { depth, person } = signal;
  const subTask = subTaskOf(signal);
  if (subTask !== null) return depth + Math.min(subTask.calls, config.depthLimitUnattended);
  return depth + (person === "nobody" ? config.depthLimitUnattended : config.depthLimit);
}

import type { Policy } from "../../settings/policy.ts";
import { mostTries } from "../../signal/lost-race.ts";
import { isJobSignal, type Signal } from "../../signal/signal.ts";
import { subTaskOf } from "../../signal/sub-task.ts";
import { mostCallLines } from "../../text/call-line.ts";

/** The depth at which the turn of a signal stops. */
export function depthLimitOf(signal: Signal, { config }: Policy): number {
  const { depth, person } = signal;
  const subTask = subTaskOf(signal);
  if (subTask !== null) return depth + Math.min(subTask.calls, config.depthLimitUnattended);
  // Calls that are written down end by themselves.
  if (isJobSignal(signal) && signal.payload["tier"] === "reflex")
    return depth + Math.max(config.depthLimitUnattended, mostTries * mostCallLines + 1);
  return depth + (person === "nobody" ? config.depthLimitUnattended : config.depthLimit);
}

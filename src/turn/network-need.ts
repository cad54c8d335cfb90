import { commandOf } from "../shown/action-text.ts";
import type { PreparedCall } from "./judge-call.ts";

/**
 * That a command needs the network, and how a job is allowed it, where no line of the job's entry allows
 * this command; null for what needs none. Lines allow nothing to a sub-task.
 */
export function networkNeed(
  { action, effects }: Pick<PreparedCall, "action" | "effects">,
  by: "job" | "sub-task",
): string | null {
  if (commandOf(action) === null) return null;
  const hosts = [...new Set(effects.flatMap(({ kind, target }) => (kind === "reach-host" ? [target] : [])))];
  const [host] = hosts;
  if (host === undefined) return null;
  if (by === "sub-task")
    return `it needs the network (${hosts.join(", ")}), which no line allows to a sub-task. Let the job do it itself`;
  return `it needs the network (${hosts.join(", ")}), and no line allows that for this command. One that names its address can be allowed, as by '- ALLOW: run curl https://${host}/…'`;
}

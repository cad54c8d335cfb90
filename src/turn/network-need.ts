import { commandOf } from "../signal/shown/action-text.ts";
import type { PreparedCall } from "./judge-call.ts";

/** That a command needs the network, and how a job is allowed it, where no line of the job's entry allows this command; null for what needs none. */
export function networkNeed({ action, effects }: Pick<PreparedCall, "action" | "effects">): string | null {
  if (commandOf(action) === null) return null;
  const hosts = [...new Set(effects.flatMap(({ kind, target }) => (kind === "reach-host" ? [target] : [])))];
  const [host] = hosts;
  if (host === undefined) return null;
  return `it needs the network (${hosts.join(", ")}), and no line allows that for this command. One that names its address can be allowed, as by '- ALLOW: run curl https://${host}/…'`;
}

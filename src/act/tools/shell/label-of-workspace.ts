import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** A project may have many files that are no notes. */
export const maxEntries = 250_000;

/**
 * The label of all that a line may read in the workspace, where it may be tried or reaches a host: nobody is
 * asked before a trial, a rule may allow a host, and a program may compute the names of what it reads. What
 * it prints, writes and sends is as private as all files of the workspace.
 */
export async function labelOfWorkspace(workspace: string | null, ports: ShellPorts): Promise<Label> {
  const { labelOfRead, resolve } = ports;
  if (workspace === null || labelOfRead === undefined || resolve === false) return bottomLabel;
  const all = { path: workspace, tree: true, maxEntries };
  const shows = ["made", "changed", "repository"] as const;
  return joinLabels(await labelOfRead(all), (await ports.labelOfNames?.({ ...all, shows })) ?? bottomLabel);
}

/** Whether a line is given a way to a host. */
export function reachesHosts(plan: CommandPlan): boolean {
  return plan.some(({ commands }) => commands.some(({ network }) => network.length > 0));
}

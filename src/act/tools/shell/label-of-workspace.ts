import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { FoundEntries } from "../../files/private-names.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import type { TriedCommand } from "../../trial/trials.ts";

/** A project may have many files that are no notes. */
export const maxEntries = 250_000;

/**
 * The label of all that a line may read in the workspace, where it may be tried or reaches a host: nobody is
 * asked before a trial, a rule may allow a host, and a program may compute the names of what it reads. What
 * it prints, writes and sends is as private as all files of the workspace, and what was written into the
 * declared programs.
 */
async function labelOfWorkspace(workspace: string | null, ports: ShellPorts): Promise<Label> {
  const { labelOfRead, labelOfNames, resolve } = ports;
  if (resolve === false) return bottomLabel;
  const shows = ["made", "changed", "repository"] as const;
  const told = async (path: string, found?: FoundEntries): Promise<Label> =>
    (await labelOfNames?.({
      path,
      tree: true,
      maxEntries,
      shows,
      ...(found === undefined ? {} : { found }),
    })) ?? bottomLabel;
  // Nothing that is private by itself is seen of the declared programs, but what was written there may be.
  const programs = (await ports.programFolders?.find(workspace)) ?? [];
  const ofPrograms = joinAll(
    await Promise.all(programs.map((path) => told(path, ports.programFolders?.met(path)))),
  );
  if (workspace === null || labelOfRead === undefined) return ofPrograms;
  const read = await labelOfRead({ path: workspace, tree: true, maxEntries });
  return joinLabels(ofPrograms, read, await told(workspace));
}

/**
 * The same for a line that may have been tried: all that it read, it read in its trial. What lay in the
 * workspace before and what lay there afterwards counts, and is looked up once; what comes later, it never
 * saw. While a trial runs, its view shows what others change: what they make private meanwhile is found
 * afterwards, what they take away or make public was found before. A text that the owner makes private while
 * a question waits is known by its words.
 */
export async function labelOfReadable(
  tried: Pick<TriedCommand, "readable"> | null,
  workspace: string | null,
  ports: ShellPorts,
): Promise<Label> {
  if (tried === null) return labelOfWorkspace(workspace, ports);
  const after = tried.readable.get("after") ?? (await labelOfWorkspace(workspace, ports));
  tried.readable.set("after", after);
  return joinLabels(after, tried.readable.get("before") ?? bottomLabel);
}

/** Whether a line is given a way to a host. */
export function reachesHosts(plan: CommandPlan): boolean {
  return plan.some(({ commands }) => commands.some(({ network }) => network.length > 0));
}

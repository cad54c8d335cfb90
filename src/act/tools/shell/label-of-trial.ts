import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import { untriedBecause } from "../../shell/programs/untried.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** A project may have many files that are no notes. */
const maxEntries = 250_000;

/**
 * The label of what a line may read in a trial. Nobody is asked before one, and a program may compute the names of what it reads: what it prints and writes is as
 * private as all notes of the workspace.
 */
export async function labelOfTrial(
  plan: CommandPlan,
  workspace: string | null,
  { labelOfRead, labelOfNames, overlays, sandbox, tries, resolve }: ShellPorts,
): Promise<Label> {
  const unproved = plan.flatMap(({ commands }) => commands.filter(({ proof }) => proof === null));
  const mayBeTried =
    overlays !== undefined &&
    tries === true &&
    Boolean(sandbox?.filter) &&
    unproved.length > 0 &&
    unproved.every(
      ({ argv, network, repository }) =>
        network.length === 0 && repository === null && untriedBecause(argv) === null,
    );
  if (!mayBeTried || workspace === null || labelOfRead === undefined || resolve === false) return bottomLabel;
  const all = { path: workspace, tree: true, maxEntries };
  return joinLabels(await labelOfRead(all), (await labelOfNames?.(all)) ?? bottomLabel);
}

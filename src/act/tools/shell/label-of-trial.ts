import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** A project may have many files that are no notes. */
const maxEntries = 250_000;

/**
 * The label of what a line that may be tried may read in its trial. Nobody is asked before one, and a
 * program may compute the names of what it reads: what it prints and writes is as private as all notes of
 * the workspace.
 */
export async function labelOfTrial(
  workspace: string | null,
  { labelOfRead, labelOfNames, resolve }: ShellPorts,
): Promise<Label> {
  if (workspace === null || labelOfRead === undefined || resolve === false) return bottomLabel;
  const all = { path: workspace, tree: true, maxEntries };
  return joinLabels(await labelOfRead(all), (await labelOfNames?.(all)) ?? bottomLabel);
}

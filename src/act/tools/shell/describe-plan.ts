import type { Extent } from "../../../signal/effect.ts";
import type { JsonObject } from "../../../text/json.ts";
import { isHarmless } from "../../shell/execute.ts";
import { changesOutside } from "../../shell/outside-places.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "../../shell/plan.ts";

/** How a line is run, and the sets that its commands destroy. */
type Judged = {
  readonly confined: boolean;
  readonly overlaid: boolean;
  readonly extents: ReadonlyMap<PlannedCommand, Extent>;
};

/**
 * The JSON value that an approval is bound to: everything that decides what runs, and on which files. Of a
 * set that is destroyed it is what the question shows: one file more asks anew.
 */
export function describePlan(
  plan: CommandPlan,
  given: PlanEnvironment,
  { confined, overlaid, extents }: Judged,
): JsonObject {
  return {
    cwd: given.cwd,
    confined,
    overlaid,
    writable: !isHarmless(plan),
    pipelines: plan.map(({ commands, negated, next }) => ({
      negated,
      next,
      commands: commands.map((command) => ({
        argv: command.argv,
        binary: command.binary,
        proof: command.proof,
        reads: command.reads.map(({ path, access, tree }) => ({ path, access, tree })),
        files: command.files,
        writes: command.writes.map(({ path }) => path),
        changes: command.changes.map(({ change }) => change),
        network: command.network,
        ...(command.credentials.length === 0 ? {} : { credentials: command.credentials }),
        ...(command.repository === null ? {} : { repository: command.repository }),
        redirects: command.redirects,
        assignments: command.assignments,
        ...outsideOf(command, given),
        ...setOf(extents.get(command)),
      })),
    })),
  };
}

/** Where its changes outside of the workspace lead to, and what of them is executed later. */
function outsideOf(command: PlannedCommand, { workspace }: PlanEnvironment): JsonObject {
  const outside = workspace === null ? [] : changesOutside(command, workspace);
  if (outside.length === 0) return {};
  return {
    outside: outside.map(({ path, how, copied }) => ({
      path,
      how,
      ...(copied === undefined ? {} : { later: [...copied.later.keys()], replaced: copied.replaced }),
    })),
  };
}

function setOf(extent: Extent | undefined): JsonObject {
  return extent === undefined ? {} : { set: { count: extent.count, shown: extent.shown } };
}

import { isInside } from "../../signal/is-inside.ts";
import type { Outcome } from "../../signal/tool.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { asFailure } from "./kept-outcome.ts";
import type { PlannedCommand } from "./plan.ts";
import type { ResolvedChange } from "./said-changes.ts";
import type { Execution } from "./shell-ports.ts";

/** Paths that are named in words. */
const mostNamed = 5;

/**
 * Looks, before a line runs in the sandbox, at what its commands say that they change outside of the
 * workspace: there they change nothing, or what they write is gone with the sandbox. What it gives makes of
 * the outcome a failure that says so, where none of that was done.
 */
async function watchOutside(
  commands: readonly PlannedCommand[],
  { ports, given }: Pick<Execution, "ports" | "given">,
): Promise<(outcome: Outcome) => Promise<Outcome>> {
  const { workspace } = given;
  if (ports.sandbox === null || workspace === null) return async (outcome) => outcome;
  const meant = commands.flatMap((command) => changesOutside(command, workspace));
  const stampsNow = async (): Promise<string> =>
    (await Promise.all(meant.map(({ path }) => stampOf(path)))).join();
  const before = await stampsNow();
  return async (outcome) => {
    if (meant.length === 0 || (await stampsNow()) !== before) return outcome;
    return asFailure(outcome, {
      code: "outside-workspace",
      message: ports.mask(messageOf(meant, workspace)),
    });
  };
}

/** Runs commands, and tells where they were to change something outside of the workspace and did not. */
export async function runWatched<Run>(
  run: Run,
  { commands, execution, runPlan }: Watched<Run>,
): Promise<Outcome> {
  const tell = await watchOutside(commands, execution);
  return tell(await runPlan(run, execution));
}

type Watched<Run> = {
  readonly commands: readonly PlannedCommand[];
  readonly execution: Execution;
  readonly runPlan: (run: Run, execution: Execution) => Promise<Outcome>;
};

/**
 * What the program of a command would change by itself; what its output goes to is opened outside of the
 * sandbox.
 */
function changesOutside(
  { proof, worded, writes, repository }: PlannedCommand,
  workspace: string,
): readonly ResolvedChange[] {
  if (proof !== null) return [];
  const [written, copied] = [writes.map(({ path }) => path), repository?.folder ?? workspace];
  return worded.filter(
    ({ path, how, exists }) =>
      (how === "write" || (how === "delete" && exists)) &&
      ![workspace, copied].some((folder) => isInside(folder, path)) &&
      !written.includes(path) &&
      !/^\/(?:dev|proc|sys)\//.test(path),
  );
}

async function stampOf(path: string): Promise<string> {
  const status = await entryIfThere(path);
  return status === null ? "" : [status.ino, status.size, status.mtimeMs, status.ctimeMs].join(" ");
}

function messageOf(meant: readonly ResolvedChange[], workspace: string): string {
  const paths = [...new Set(meant.map(({ path }) => path.toWellFormed()))];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  const files = meant.every(({ how }) => how === "write")
    ? "Write such a file with write-file or edit-file, or let output go there (COMMAND > FILE)"
    : "A file is written there with write-file";
  return `Nothing was changed outside of the workspace ${workspace}: a command in the sandbox changes the workspace alone, and not ${paths.slice(0, mostNamed).join(", ")}${more}. ${files}; anything else there the owner does in a terminal of their own.`;
}

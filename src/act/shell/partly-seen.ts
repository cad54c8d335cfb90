import { type EndNote, noEndNote } from "./end-note.ts";
import type { LineNetwork } from "./network.ts";
import type { PlannedCommand } from "./plan.ts";
import type { PipelineRun } from "./run.ts";
import type { Execution } from "./shell-ports.ts";

/** How programs say that a file is not there. */
const lacksFile =
  /no such file|not found|cannot (?:find|open)|can't (?:find|open)|could not (?:find|open|load)|no module named|ENOENT|MODULE_NOT_FOUND/i;

/** Makes what is said at the end of a run: of its network, and of the programs of it that are partly seen. */
export async function makeEndNote(
  commands: readonly PlannedCommand[],
  { ports, given }: Pick<Execution, "ports" | "given">,
  network: Pick<LineNetwork, "note">,
): Promise<PipelineRun["endNote"]> {
  const partly = await findPartlySeen(commands, { ports, given });
  return (ended) => {
    const { note, advice } = withPartlySeen(network.note(ended.failed), partly, ended);
    return { note: ports.mask(note), advice: ports.mask(advice) };
  };
}

/** Why each program of a line that is partly seen may lack files; none where all are seen. */
async function findPartlySeen(
  commands: readonly PlannedCommand[],
  { ports, given }: Pick<Execution, "ports" | "given">,
): Promise<readonly string[]> {
  const { programs, sandbox } = ports;
  if (programs === undefined || sandbox === null) return [];
  const found = await Promise.all(
    commands.map(async ({ binary }) =>
      binary === null ? null : programs.whyPartlySeen(binary.path, given.workspace),
    ),
  );
  return [...new Set(found.flatMap((why) => why ?? []))];
}

/**
 * What is said at the end of a run that failed where a program of it lacks files: that, in place of advice on
 * the network that it did not look for.
 */
function withPartlySeen(
  network: EndNote,
  partly: readonly string[],
  { failed, said }: { readonly failed: boolean; readonly said: string },
): EndNote {
  if (!failed || partly.length === 0 || !lacksFile.test(said)) return network;
  const { note, advice } = network.note === "" ? noEndNote : network;
  return { note, advice: [...partly, advice].filter((part) => part !== "").join(" ") };
}

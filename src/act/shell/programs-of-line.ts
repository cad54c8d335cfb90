import type { Caller } from "../../signal/tool.ts";
import type { ProgramsSeen } from "./find-loaded-code.ts";
import { noPrograms, type ShownPrograms } from "./program-folders.ts";
import type { ShellPorts } from "./shell-ports.ts";

/** Entries of folders that are looked at so fast that a line looks at them each time. */
const fewEntries = 5_000;

/**
 * Looks at the declared programs for one line: once while it is planned, and again when it runs. What a look
 * at a large folder found counts on for as long as the look took: what it saw first is then no older than
 * twice that. Without the sandbox nothing is shown, and there is nothing to compare with.
 */
export function programsOfLine(
  { sandbox, programFolders }: Pick<ShellPorts, "sandbox" | "programFolders">,
  { workspace, waiting }: Pick<Caller, "workspace" | "waiting">,
  clock: () => number = () => performance.now(),
): NonNullable<ProgramsSeen["programs"]> {
  let last: { readonly shown: ShownPrograms; readonly until: number } | null = null;
  return async (moment) => {
    if (sandbox === null || programFolders === undefined) return noPrograms;
    if (last !== null && (moment === "planned" || clock() < last.until)) return last.shown;
    const shown = await programFolders.look(workspace, waiting);
    const { entries, milliseconds } = shown.cost;
    last = { shown, until: entries < fewEntries ? 0 : clock() + milliseconds };
    return shown;
  };
}

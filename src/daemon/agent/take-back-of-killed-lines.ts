import { tmpdir } from "node:os";
import { namesIfThere } from "../../act/files/names-if-there.ts";
import type { State } from "../../memory/state/state.ts";
import { pushAll } from "../../signal/lists.ts";

/**
 * Ends what a former process was killed in: changes of a command that were only kept or undone in part, then what command lines made that is executed later. `sets` is the folder of what
 * commands displaced. What stood in for secret folders in their views is removed. Gives what was done.
 */
export async function takeBackOfKilledLines(
  { keptGuards, changes }: State,
  sets: string,
): Promise<readonly string[]> {
  const notes: string[] = [];
  const names = await namesIfThere(sets);
  if (names.some((name) => name.startsWith("unfinished-"))) {
    const { recoverSets } = await import("../../act/trial/recover-sets.ts");
    pushAll(notes, await recoverSets(sets, changes));
  }
  if ((await namesIfThere(tmpdir())).some((name) => name.startsWith("passepartout-stand-ins-"))) {
    const { removeLeftStandIns } = await import("../../act/sandbox/stand-ins.ts");
    pushAll(notes, await removeLeftStandIns(tmpdir()));
  }
  if ((await keptGuards.all()).length === 0) return notes;
  const { closeKeptGuards } = await import("../../act/shell/kept-guard.ts");
  return [...notes, ...(await closeKeptGuards(keptGuards))];
}

import { tmpdir } from "node:os";
import { namesIfThere } from "../../act/files/names-if-there.ts";
import type { State } from "../../memory/state/state.ts";
import { pushAll } from "../../text/lists.ts";

/**
 * Ends what a former process was killed in: changes of a command that were only kept or undone in part, then what command lines made that is executed later. `sets` is the folder of what
 * commands displaced. What stood in for secret folders in their views is removed. `tell` hears how far it is.
 * Gives what was done, and the sets of which only a part could be taken back.
 */
export async function takeBackOfKilledLines(
  { keptGuards, changes }: State,
  sets: string,
  tell: (text: string) => void,
): Promise<{ readonly notes: readonly string[]; readonly partly: ReadonlySet<string> }> {
  const notes: string[] = [];
  const partly = new Set<string>();
  const names = await namesIfThere(sets);
  if (names.some((name) => name.startsWith("unfinished-"))) {
    const { recoverSets } = await import("../../act/trial/recover-sets.ts");
    for (const { set, note, isPartly } of await recoverSets(sets, changes, tell)) {
      notes.push(note);
      if (isPartly) partly.add(set);
    }
  }
  for (const place of new Set([tmpdir(), "/var/tmp"])) {
    if (!(await namesIfThere(place)).some((name) => name.startsWith("passepartout-stand-ins-"))) continue;
    const { removeLeftStandIns } = await import("../../act/sandbox/stand-ins.ts");
    pushAll(notes, await removeLeftStandIns(place));
  }
  if ((await keptGuards.all()).length > 0) {
    const { closeKeptGuards } = await import("../../act/shell/kept-guard.ts");
    pushAll(notes, await closeKeptGuards(keptGuards));
  }
  return { notes, partly };
}

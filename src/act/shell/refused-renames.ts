import { type EndNote, joinEndNotes, noEndNote } from "./end-note.ts";
import type { LineNetwork } from "./network.ts";
import type { Execution } from "./shell-ports.ts";

/** How a line ended: whether it failed, and what it said on standard error. */
export type LineEnd = { readonly failed: boolean; readonly errors: string };

/** What is said at the end of a line; `unseen`: of the programs that it did not see whole. */
export function tellEnd(
  { failed, errors }: LineEnd,
  { ports, overlay }: Pick<Execution, "ports" | "overlay">,
  { unseen, network }: { readonly unseen: EndNote; readonly network: LineNetwork },
): EndNote {
  const renamed = failed && overlay !== null && refusedRename.test(errors);
  const notes = [unseen, renamed ? howToMove : noEndNote, network.note(failed && !renamed)];
  return joinEndNotes(notes, ports.mask);
}

/** How programs say that the kernel refuses to rename something from one file system to another. */
const refusedRename = /\bEXDEV\b|cross-device link/i;

/**
 * The file system of a copy renames no folder that was there before, and says so in the words for two disks.
 */
const howToMove: EndNote = {
  note: "The command renamed a folder that was there before. The copy in which commands run refuses that as if it lay on another disk; new folders and files can be renamed.",
  advice:
    "Use mv, which copies the folder: for `git mv OLD NEW`, `mv OLD NEW && git add -A OLD NEW`; in a program, what copies where a rename is refused, such as shutil.move in Python.",
};

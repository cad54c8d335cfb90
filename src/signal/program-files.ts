import { isInside } from "../text/is-inside.ts";
import type { Folders } from "./facts.ts";
import { questionsFileName } from "./listed-question.ts";
import { reviewFileName } from "./review.ts";

/** The files of the notes folder that the program itself keeps: the review inbox, and the open questions. */
export const programNotes: ReadonlySet<string> = new Set([reviewFileName, questionsFileName]);

/**
 * Whether the program itself keeps a file: those of the notes folder, and all in the agent's own folders.
 * What stands
 * there is nothing that its owner works on.
 */
export function isProgramFile(path: string, { notes, own }: Pick<Folders, "notes" | "own">): boolean {
  const isNote = isInside(notes, path) && programNotes.has(path.slice(notes.length + 1));
  return isNote || own.some((folder) => isInside(folder, path));
}

import { countOf } from "../../../text/count-of.ts";
import type { KnownFolders, LostFolder } from "./known-folders.ts";
import { foldersOf, type NotesFolders } from "./notes-folders.ts";
import type { NoteProblem } from "./walk-notes.ts";

/** Describes the notes folders that are gone or replaced by another folder, and what to do. */
export async function describeLostFolders(
  place: NotesFolders,
  known: Pick<KnownFolders, "findLost">,
): Promise<readonly NoteProblem[]> {
  const problems: NoteProblem[] = [];
  for (const folder of foldersOf(place)) {
    const lost = await known.findLost(folder);
    if (lost !== null) problems.push({ path: folder, problem: describeLost(lost) });
  }
  return problems;
}

function describeLost({ files, isReplaced, link }: LostFolder): string {
  if (link !== null && files === 0)
    return `The link ${link} leads here, and nothing is here. Mount its disk, make the folder, or correct the link.`;
  const were = `${countOf(files, "file")} of notes ${files === 1 ? "was" : "were"} known in it`;
  const found = "Search, agenda and backlinks still find its headings, without their texts";
  if (link !== null)
    return `The link ${link} leads here, and nothing is here, though ${were}. ${found}. Mount its disk, or correct the link.`;
  return isReplaced
    ? `Another folder is in its place: ${were}, and none of them is there. ${found}. Mount its disk, or, if this is your new folder of notes, run: passepartout memory rebuild`
    : `This folder is gone or empty, though ${were}. ${found}. Mount its disk, or take it out of MEMEX_DIR.`;
}

/** What to do where no notes folder exists. */
export function adviceOnMissingFolder(folder: string): string {
  return `There is no notes folder at ${folder} yet. The first note creates it: /note TEXT in a conversation. Or set MEMEX_DIR to another folder.`;
}

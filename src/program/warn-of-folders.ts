import { adviceOnMissingFolder } from "../memory/notes/folder/describe-folders.ts";
import type { NotesStatus } from "../memory/notes/open-notes.ts";
import { findLostNotes } from "../memory/notes/open-own-notes.ts";
import { loadConfig } from "../settings/config.ts";
import { notesPlaceOf } from "../settings/notes-place.ts";
import type { StartContext } from "../settings/start-context.ts";

/** Warns of each notes folder that is gone or replaced, or that none exists yet. */
export function warnOfFolders(
  start: Pick<StartContext, "warn">,
  { folder, present, lost }: Pick<NotesStatus, "folder" | "present" | "lost">,
): void {
  for (const { path, problem } of lost) start.warn?.(`${path}: ${problem}`);
  if (!present && lost.length === 0) start.warn?.(adviceOnMissingFolder(folder));
}

/** The same for a command that opens no notes itself. A folder that was never there is nothing to it. */
export async function warnOfLostNotes(start: StartContext): Promise<void> {
  const config = loadConfig(start.environment);
  const lost = await findLostNotes(notesPlaceOf(config), config.places.state);
  warnOfFolders(start, { folder: config.places.notes, present: true, lost });
}

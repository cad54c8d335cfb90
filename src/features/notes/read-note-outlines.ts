import { resolve } from "node:path";
import { decodeOrgText, type Outline } from "#org";
import { pathOfNote } from "../../memory/notes/folder/notes-folders.ts";
import { readNamedFile, readNoteBytes } from "../../memory/notes/folder/read-note-file.ts";
import { openSetupFilesOfAny } from "../../memory/notes/folder/setup-files.ts";
import { type NoteProblem, walkNotes } from "../../memory/notes/folder/walk-notes.ts";
import { findLostNotes } from "../../memory/notes/open-own-notes.ts";
import { outlineOf } from "../../notes/parse-note-file.ts";
import { warnOfFolders } from "../../program/warn-of-folders.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** Which notes a command reads: the files that are named, or all notes if none is. */
export type NoteSelection = { readonly files: readonly string[] };

/** The outlines of the selected notes. A file that cannot be read is a problem, and the others are read nevertheless. */
export type NoteOutlines = {
  readonly files: readonly { readonly file: string; readonly outline: Outline }[];
  readonly problems: readonly NoteProblem[];
  /** What to do if there are no notes; else null. */
  readonly advice: string | null;
  /** False where a notes folder is not there, which was said. */
  readonly isComplete: boolean;
};

/** Reads the selected notes. */
export async function readNoteOutlines(start: StartContext, { files }: NoteSelection): Promise<NoteOutlines> {
  const config = loadConfig(start.environment);
  const notes = notesPlaceOf(config);
  const lost = files.length > 0 ? [] : await findLostNotes(notes, config.places.state);
  const walked = files.length > 0 ? null : await walkNotes(notes, () => null);
  const present = walked === null || walked.counts.size > 0;
  warnOfFolders(start, { folder: notes.folder, present, lost });
  const selected =
    walked === null
      ? files.map((file) => ({ file, path: resolve(start.cwd, file) }))
      : [...walked.files.keys()]
          .filter((file) => !file.endsWith("_archive"))
          .sort()
          .map((file) => ({ file, path: pathOfNote(notes, file) }));
  const problems: NoteProblem[] = [...(walked?.problems ?? [])];
  const read: NoteOutlines["files"][number][] = [];
  for (const { file, path } of selected) {
    const seen = walked?.files.get(file);
    const result = await (seen === undefined ? readNamedFile(path) : readNoteBytes(notes, seen));
    if (result?.kind === "read") {
      const setup = openSetupFilesOfAny(path, notes);
      read.push({ file, outline: outlineOf(path, decodeOrgText(result.bytes).text, setup) });
      continue;
    }
    const problem =
      result?.kind === "unreadable"
        ? result.problem
        : "There is no readable file with this name. Correct the name, or create the file.";
    problems.push({ path: file, problem });
  }
  const isComplete = present && lost.length === 0;
  return {
    files: read,
    problems,
    advice: isComplete && selected.length === 0 ? adviceOnEmptyFolder(notes.folder) : null,
    isComplete,
  };
}

/** What to do where the notes folder has no notes. */
export function adviceOnEmptyFolder(folder: string): string {
  return `There are no notes in ${folder} yet. Put .org files in it, set MEMEX_DIR to another folder, or name files after the command.`;
}

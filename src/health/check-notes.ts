import { readFileSync, watch } from "node:fs";
import { findUnknownInNotes } from "../memory/notes/find-unknown-in-notes.ts";
import { folderOfNote } from "../memory/notes/folder/notes-folders.ts";
import { maxNoteBytes } from "../memory/notes/folder/read-note-file.ts";
import type { NotesPlace } from "../memory/notes/folder/setup-files.ts";
import { walkNotes } from "../memory/notes/folder/walk-notes.ts";
import { findLostNotes } from "../memory/notes/open-own-notes.ts";
import type { UnknownTodoWord } from "../notes/unknown-todo-words.ts";
import { countOf } from "../text/count-of.ts";
import type { HealthCheck } from "./health-check.ts";

/** Number of problems that are listed one by one. */
const mostTold = 5;

/** Checks the notes folders: which files are skipped, whether every folder can be watched, and whether the TODO words are set. */
export async function checkNotes(place: NotesPlace, stateFolder: string): Promise<readonly HealthCheck[]> {
  const lost = (await findLostNotes(place, stateFolder)).map(
    ({ path, problem }): HealthCheck => ({ name: "notes", result: "finding", text: `${path}: ${problem}` }),
  );
  const found = await checkPresentNotes(place);
  return lost.length > 0 && found.length === 1 ? lost : [...lost, ...found];
}

async function checkPresentNotes(place: NotesPlace): Promise<readonly HealthCheck[]> {
  const walked = await walkNotes(place, () => null);
  const present = [...walked.counts.keys()];
  if (present.length === 0) return [{ name: "notes", result: "ok", text: `there is no ${place.folder} yet` }];
  const large = [...walked.files.values()]
    .filter(({ size }) => size > maxNoteBytes)
    .map(({ path }) => ({ path, problem: "It is too large to be indexed. Split it." }));
  const unknown = await findUnknownInNotes(place, walked.files.values());
  const problems = [...walked.problems, ...large, ...unknown.setups];
  const within = Map.groupBy(walked.folders, (name) => folderOfNote(place, name));
  const counts = [...walked.counts].map(
    ([folder, files]) =>
      `${folder}: ${countOf(files, "file")} in ${countOf(within.get(folder)?.length ?? 0, "folder")}`,
  );
  return [
    { name: "notes", result: "ok", text: counts.join("; ") },
    ...problems.slice(0, mostTold).map(
      ({ path, problem }): HealthCheck => ({
        name: "notes",
        result: "finding",
        text: `${path}: ${problem}`,
      }),
    ),
    ...(problems.length > mostTold ? [more(problems.length - mostTold)] : []),
    ...checkWatches(present, walked.folders.length),
    ...checkTodoWords(unknown.words),
  ];
}

function more(count: number): HealthCheck {
  return {
    name: "notes",
    result: "finding",
    text: `${count} more files have such problems. List them all with: passepartout memory show`,
  };
}

function checkTodoWords(found: readonly UnknownTodoWord[]): readonly HealthCheck[] {
  if (found.length === 0) return [];
  const words = found.slice(0, mostTold);
  const used = words.map(({ word, headings }) => `${word} (${headings})`).join(", ");
  const text = `headings begin with words that look like TODO words and are read as part of the title: ${used}. If they are TODO words, set them as in your init.el, such as ORG_TODO_KEYWORDS=TODO NEXT WAITING | DONE CANCELLED, or by a line #+TODO: in the files.`;
  return [{ name: "notes", result: "finding", text }];
}

const limitFile = "/proc/sys/fs/inotify/max_user_watches";

/** Checks whether the notes folders can be watched now, and the number of all folders against the watches that the system allows a user: each folder takes one. */
function checkWatches(present: readonly string[], folders: number): readonly HealthCheck[] {
  for (const folder of present) {
    const refused = whyNotWatched(folder);
    if (refused === null) continue;
    const text = `${folder} cannot be watched (${refused}), so changes are noticed only at each heartbeat. Other programs may use up what the system allows: raise fs.inotify.max_user_instances and fs.inotify.max_user_watches.`;
    return [{ name: "notes", result: "finding", text }];
  }
  const allowed = watchesAllowed();
  if (allowed === null || folders < allowed) return [];
  const text = `the system allows ${allowed} watches and the notes have ${folders} folders, so changes are noticed only at each heartbeat. Raise fs.inotify.max_user_watches.`;
  return [{ name: "notes", result: "finding", text }];
}

/** The code of the system's refusal to watch a folder; null where it can be watched. */
function whyNotWatched(folder: string): string | null {
  try {
    watch(folder).close();
    return null;
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}

function watchesAllowed(): number | null {
  try {
    return Number(readFileSync(limitFile, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

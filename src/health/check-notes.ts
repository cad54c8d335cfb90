import { readFileSync } from "node:fs";
import { maxNoteBytes } from "../memory/notes/folder/read-note-file.ts";
import { walkNotes } from "../memory/notes/folder/walk-notes.ts";
import type { HealthCheck } from "./health-check.ts";

/** Number of problems that are listed one by one. */
const mostTold = 5;

/** Checks the notes folder without opening a file: which files are skipped, and whether every folder can be watched. */
export async function checkNotes(folder: string): Promise<readonly HealthCheck[]> {
  const walked = await walkNotes(folder, () => null);
  if (walked === null) return [{ name: "notes", result: "ok", text: `there is no ${folder} yet` }];
  const large = [...walked.files.values()]
    .filter(({ size }) => size > maxNoteBytes)
    .map(({ path }) => ({ path, problem: "It is too large to be indexed. Split it." }));
  const problems = [...walked.problems, ...large];
  const counts = `${walked.files.size} files in ${walked.folders.length} folders`;
  return [
    { name: "notes", result: "ok", text: `${folder}: ${counts}` },
    ...problems.slice(0, mostTold).map(
      ({ path, problem }): HealthCheck => ({
        name: "notes",
        result: "finding",
        text: `${path}: ${problem}`,
      }),
    ),
    ...(problems.length > mostTold ? [more(problems.length - mostTold)] : []),
    ...checkWatches(walked.folders.length),
  ];
}

function more(count: number): HealthCheck {
  return {
    name: "notes",
    result: "finding",
    text: `${count} more files are skipped. List them all with: passepartout memory show`,
  };
}

const limitFile = "/proc/sys/fs/inotify/max_user_watches";

/** Checks the number of folders against the watches that the system allows a user: each folder takes one. */
function checkWatches(folders: number): readonly HealthCheck[] {
  const allowed = watchesAllowed();
  if (allowed === null || folders < allowed) return [];
  const text = `the system allows ${allowed} watches and the notes have ${folders} folders, so changes are noticed only at each heartbeat. Raise fs.inotify.max_user_watches.`;
  return [{ name: "notes", result: "finding", text }];
}

function watchesAllowed(): number | null {
  try {
    return Number(readFileSync(limitFile, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

import { readFileSync } from "node:fs";
import { maxNoteBytes } from "../memory/notes/folder/read-note-file.ts";
import { walkNotes } from "../memory/notes/folder/walk-notes.ts";
import type { HealthCheck } from "./health-check.ts";

/** How many problems are told one by one. */
const mostTold = 5;

/** Looks at what is in the notes folder, without opening a file: what is passed over, and whether all of it can be watched. */
export async function checkNotes(folder: string): Promise<readonly HealthCheck[]> {
  const walked = await walkNotes(folder, () => null);
  if (walked === null) return [{ name: "notes", result: "ok", text: `there is no ${folder} yet` }];
  const large = [...walked.files.values()]
    .filter(({ size }) => size > maxNoteBytes)
    .map(({ path }) => ({ path, problem: "It is too large to be read as notes." }));
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
    ...watching(walked.folders.length),
  ];
}

function more(count: number): HealthCheck {
  return {
    name: "notes",
    result: "finding",
    text: `${count} more are passed over. passepartout memory show lists all.`,
  };
}

const limitFile = "/proc/sys/fs/inotify/max_user_watches";

/** Each folder takes one of the watches that the system allows a user. */
function watching(folders: number): readonly HealthCheck[] {
  const allowed = watchesAllowed();
  if (allowed === null || folders < allowed) return [];
  const text = `the system allows ${allowed} watches and the notes have ${folders} folders: changes are seen at the heartbeat only. Raise fs.inotify.max_user_watches.`;
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

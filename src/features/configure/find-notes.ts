import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What stands in a folder that may be the notes folder. */
export type NotesCandidate = {
  readonly folder: string;
  readonly exists: boolean;
  /** Files of Org notes; `more` where not all of the folder was looked at. */
  readonly notes: number;
  readonly more: boolean;
  readonly hasRepository: boolean;
};

/** Where people keep Org notes, below their home. */
const usual = [
  "memex",
  "org",
  "Org",
  "notes",
  "Notes",
  "roam",
  "org-roam",
  "Documents/org",
  "Documents/notes",
  "Documents/Notes",
  "Dropbox/org",
  "Nextcloud/org",
];
/** Entries of a folder that are looked at: enough to know whether it is the one. */
const mostEntries = 5_000;
const deepest = 4;

/** Looks into the folders that are set, then where people usually keep notes. Reads names alone. */
export function findNotes(set: readonly string[], home: string): readonly NotesCandidate[] {
  const others = usual.map((name) => join(home, name)).filter((folder) => !set.includes(folder));
  const found = others.map(lookAt).filter(({ notes }) => notes > 0);
  return [...set.map(lookAt), ...found];
}

/** Counts the notes in a folder by their names. A folder that cannot be read has none. */
export function lookAt(folder: string): NotesCandidate {
  const waiting = [{ path: folder, depth: 0 }];
  let notes = 0;
  let seen = 0;
  for (let next = waiting.shift(); next !== undefined && seen < mostEntries; next = waiting.shift()) {
    for (const entry of entriesOf(next.path)) {
      seen += 1;
      if (entry.isFile() && entry.name.endsWith(".org")) notes += 1;
      if (entry.isDirectory() && !entry.name.startsWith(".") && next.depth < deepest)
        waiting.push({ path: join(next.path, entry.name), depth: next.depth + 1 });
    }
  }
  const hasRepository = existsSync(join(folder, ".git"));
  return { folder, exists: existsSync(folder), notes, more: seen >= mostEntries, hasRepository };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** What was found in a folder, in a few words. */
export function describeNotes({ exists, notes, more, hasRepository }: NotesCandidate): string {
  if (!exists) return "made with the first note";
  const count =
    notes === 0
      ? "no Org notes yet"
      : `${notes}${more ? " or more" : ""} Org ${notes === 1 ? "file" : "files"}`;
  return hasRepository ? `${count}, a Git repository` : count;
}

/** What the agent does in the notes folder, and what it never does there or elsewhere. */
export const notesPromise: readonly string[] = [
  "Read to answer you: the Org files in it. New notes go there.",
  "Changes are shown as a diff, and /undo takes them back.",
  "Never read or written, wherever they are: keys, passwords, .env files,",
  "and Passepartout's own settings and state.",
  "Notes tagged @personal go to no model that is not on this machine.",
];

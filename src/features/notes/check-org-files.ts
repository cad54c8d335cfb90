import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type CheckEnvironment, checkOrg, type LocatedProblem, type OrgText } from "#org";
import { foldersOf } from "../../memory/notes/folder/notes-folders.ts";
import { isInsideReal } from "../../memory/notes/folder/open-inside.ts";
import { orNull } from "../../memory/notes/folder/or-null.ts";
import { readNoteBytes } from "../../memory/notes/folder/read-note-file.ts";
import type { NotesPlace } from "../../memory/notes/folder/setup-files.ts";
import { walkNotes } from "../../memory/notes/folder/walk-notes.ts";
import { isNoteName } from "../../notes/note-names.ts";

/** A file to check: the name that the person gave, its path, and its text. */
export type OrgFileToCheck = { readonly name: string; readonly path: string; readonly source: OrgText };

/** Bytes above which the notes beside a file are not searched for IDs. */
const maxNeighbourBytes = 33_554_432;

/** Finds all problems of some files. The notes beside them, and for a note all notes, are searched for the IDs that they link to; no other machine is asked. */
export async function checkOrgFiles(
  files: readonly OrgFileToCheck[],
  notes: NotesPlace,
): Promise<readonly LocatedProblem[]> {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  const folderOf = (name: string): string => dirname(paths.get(name) ?? name);
  const idsOf = memoise(idsInFolder);
  const isNote = memoise((folder: string) => {
    const real = orNull(() => realpathSync(folder));
    return real !== null && isInsideReal(foldersOf(notes), real);
  });
  const elsewhere = new Set<string>();
  const check = (idsOfNotes: ReadonlySet<string>): readonly LocatedProblem[] => {
    const world: CheckEnvironment = {
      hasFile: (from, target) => existsSync(resolve(folderOf(from), target.replace(/^~(?=\/)/, homedir()))),
      hasId(from, id) {
        const folder = folderOf(from);
        if (idsOf(folder).has(id) || (isNote(folder) && idsOfNotes.has(id))) return true;
        if (isNote(folder)) elsewhere.add(id);
        return false;
      },
      variables: notes.variables,
    };
    return checkOrg(
      files.map(({ name, source }) => ({ path: name, source })),
      world,
    );
  };
  const problems = check(new Set());
  return elsewhere.size === 0 ? problems : check(await idsInNotes(notes));
}

function memoise<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

function idsInFolder(folder: string): ReadonlySet<string> {
  const names = readdirSync(folder).filter((name) => isNoteName(name) && !name.startsWith("."));
  return new Set(names.flatMap((name) => idsIn(readNeighbour(join(folder, name)))));
}

async function idsInNotes(notes: NotesPlace): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const { files } = await walkNotes(notes, () => null);
  for (const seen of files.values()) {
    const read = await readNoteBytes(notes, seen);
    if (read.kind === "read") for (const id of idsIn(read.bytes.toString("utf8"))) ids.add(id);
  }
  return ids;
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*:ID:[ \t]+(\S+)/gim)].map(([, id = ""]) => id);
}

/** The text of a note beside a checked file; empty if it cannot be read, since it is not what is checked. */
function readNeighbour(path: string): string {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= maxNeighbourBytes ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

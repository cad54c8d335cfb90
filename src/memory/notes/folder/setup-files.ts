import { hash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeOrgText, hasRawBytes, type OrgVariables, type ReadSetupFile } from "#org";
import type { SetupReader } from "../../../notes/parse-note-file.ts";
import { type DeadLinks, foldersOf, type NotesFolders, pathOfNote } from "./notes-folders.ts";
import { isInsideReal, openInside } from "./open-inside.ts";
import { orNull } from "./or-null.ts";

/** Limits of what one note may name: setup files, and bytes of each. */
const most = { files: 16, bytes: 262_144 };
/** Two writes within this many milliseconds may look the same. */
const coarseness = 50;

/** The setup files of one note. */
export type SetupFiles = SetupReader & {
  /** True if what `seen` gave is still so. */
  readonly isCurrent: (seen: string) => boolean;
};

/** The folders of the notes, the links to them, and what Emacs's variables set for each note in them. */
export type NotesPlace = NotesFolders &
  DeadLinks & {
    readonly variables: OrgVariables;
  };

/** Opens the setup files that a note may name. */
export function openSetupFiles(place: NotesPlace, path: string): SetupFiles {
  return setupFilesOf(pathOfNote(place, path), {
    folders: () => foldersOf(place),
    variables: place.variables,
  });
}

/**
 * Opens the setup files that a file anywhere may name. What a note names is in the notes folders; what any other file names may also be in its own repository,
 * or beside it, and what is not is no problem, since the file is not a note.
 */
export function openSetupFilesOfAny(file: string, place: NotesPlace): SetupFiles {
  const [notes, { variables }] = [foldersOf(place), place];
  const found = onceAsked(() => {
    const beside = realPathOf(dirname(file)) ?? dirname(file);
    const isNote = isInsideReal(notes, beside);
    return { isNote, folders: isNote ? notes : [...notes, repositoryOf(beside)] };
  });
  const setup = setupFilesOf(file, { folders: () => found().folders, variables });
  return { ...setup, problem: () => (setup.problem() !== null && found().isNote ? setup.problem() : null) };
}

/** The nearest folder above that is a repository; the folder itself where there is none. */
function repositoryOf(folder: string): string {
  for (let above = folder; above !== dirname(above); above = dirname(above)) {
    if (orNull(() => lstatSync(join(above, ".git"))) !== null) return above;
  }
  return folder;
}

/**
 * Reads the local files that `#+SETUPFILE:` lines of a file name, within these folders by their real paths. Nothing is fetched from elsewhere: a URL sets nothing.
 * A file that cannot be read is a problem, since what it would set is not known.
 */
function setupFilesOf(
  file: string,
  { folders, variables }: { readonly folders: () => readonly string[]; readonly variables: OrgVariables },
): SetupFiles {
  const stamps = new Map<string, string>();
  const problems: string[] = [];
  const roots = onceAsked(() => realFolders(folders()));
  let count = 0;
  const read: ReadSetupFile = (name, from) => {
    const path = localPath(name, dirname(from ?? file));
    if (path === null) return null;
    count += 1;
    if (count > most.files) {
      problems[0] ??= `It names more than ${most.files} setup files, and those behind that are not read. ${counted}`;
      return null;
    }
    stamps.set(path, stampWhenRead(path, roots()));
    const text = readText(path, roots());
    if (text === null) problems[0] ??= `Its #+SETUPFILE: ${name} is not read. ${counted} ${advice}`;
    return text === null ? null : { path, text };
  };
  return {
    read,
    variables,
    seen: () => [...stampsOfVariables(variables), ...stamps].flat().join(between),
    problem: () => problems[0] ?? null,
    isCurrent: (seen) => isCurrent(seen, variables, (path) => stampOf(path, roots())),
  };
}

const counted = "The tags that it may set are not known, so the whole file counts as private.";
const advice =
  "Put the setup file into the notes folder as a text of at most 256 kB, or take the line out of the note.";

/** Compares the setup files of many notes with what they were, looking at each once. */
export function makeSetupComparison(place: NotesPlace): (seen: string) => boolean {
  const roots = onceAsked(() => realFolders(foldersOf(place)));
  const known = new Map<string, string>();
  const stamp = (path: string): string => {
    const found = known.get(path) ?? stampOf(path, roots());
    known.set(path, found);
    return found;
  };
  return (seen) => isCurrent(seen, place.variables, stamp);
}

/** Stands in place of a path for the variables that a note was read with. */
const variablesName = "variables";

function stampsOfVariables(variables: OrgVariables): readonly (readonly [name: string, stamp: string])[] {
  if (variables.length === 0) return [];
  const set = JSON.stringify(variables.map(({ key, value }) => [key, value]));
  return [[variablesName, hash("sha256", set)]];
}

function isCurrent(seen: string, variables: OrgVariables, stampOfPath: (path: string) => string): boolean {
  const [now = ""] = stampsOfVariables(variables).map(([, stamp]) => stamp);
  const before = stampsIn(seen);
  const [then = ""] = before.filter(([name]) => name === variablesName).map(([, stamp]) => stamp);
  return (
    now === then && before.every(([path, stamp]) => path === variablesName || stampOfPath(path) === stamp)
  );
}

/** Null for a file on another machine. */
function localPath(name: string, folder: string): string | null {
  if (/^file:/i.test(name)) return pathOfUrl(name);
  if (/^[a-z][\w+.-]+:\/\//i.test(name) || /^\/[\w-]+:[^/]/.test(name)) return null;
  return resolve(folder, name.replace(/^~(?=\/|$)/, homedir()));
}

function pathOfUrl(name: string): string {
  try {
    return fileURLToPath(name);
  } catch (error) {
    if (error instanceof TypeError) return resolve("/", name.replace(/^file:\/*/i, ""));
    throw error;
  }
}

/** Stands between the paths and stamps of what was seen. */
const between = "\u001f";

function stampsIn(seen: string): readonly (readonly [path: string, stamp: string])[] {
  const parts = seen === "" ? [] : seen.split(between);
  return Array.from({ length: parts.length / 2 }, (_, at) => [parts[2 * at] ?? "", parts[2 * at + 1] ?? ""]);
}

/** What most notes do not need: they name no setup file. */
function onceAsked<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function realFolders(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => realPathOf(folder) ?? []);
}

/** The real path of a file; null where there is none, or it may not be looked at. */
function realPathOf(path: string): string | null {
  return orNull(() => realpathSync(path));
}

/** What changes when the file does; empty for none that is read. */
function stampOf(path: string, roots: readonly string[]): string {
  const real = realPathOf(path);
  if (real === null || !isInsideReal(roots, real)) return "";
  const status = orNull(() => statSync(real, { bigint: true }));
  return status === null ? "" : `${status.size} ${status.mtimeNs} ${status.ctimeNs} ${status.ino}`;
}

/** The same for a file that is about to be read: one that was written a moment ago counts as changed. */
function stampWhenRead(path: string, roots: readonly string[]): string {
  const stamp = stampOf(path, roots);
  const modified = Number(BigInt(stamp.split(" ")[1] ?? 0) / 1_000_000n);
  const age = Date.now() - modified;
  return age >= 0 && age < coarseness ? "changing" : stamp;
}

function readText(path: string, roots: readonly string[]): string | null {
  const real = realPathOf(path);
  const bytes = real === null ? null : orNull(() => readBytes(real, roots));
  if (bytes === null || bytes.includes(0)) return null;
  const decoded = decodeOrgText(bytes);
  return hasRawBytes(decoded) || decoded.text.includes("-----BEGIN PGP") ? null : decoded.text;
}

function readBytes(real: string, roots: readonly string[]): Buffer | null {
  const descriptor = openInside(real, roots);
  if (descriptor === null) return null;
  try {
    const status = fstatSync(descriptor);
    return status.isFile() && status.size <= most.bytes ? readFileSync(descriptor) : null;
  } finally {
    closeSync(descriptor);
  }
}

import type { BigIntStats } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { relative } from "node:path";
import { classifyName, isNoteName } from "../../../notes/note-names.ts";
import type { NoteStat } from "../../../notes/note-node.ts";
import {
  foldersOf,
  innermostFolder,
  type NotesFolders,
  nameInside,
  noteName,
  pathOfNote,
} from "./notes-folders.ts";
import { refusedAsNull } from "./or-null.ts";

/** The contents of the notes folders. Paths are names as `noteName` gives them. */
export type NotesListing = {
  readonly files: ReadonlyMap<string, NoteStat>;
  /** Every folder that was read, each notes folder before those in it. */
  readonly folders: readonly string[];
  /** How many files of notes each of the notes folders holds. One that does not exist, or cannot be listed, is missing. */
  readonly counts: ReadonlyMap<string, number>;
  /** The entries that were skipped, with the reason, for the owner. */
  readonly problems: readonly NoteProblem[];
};

/** A problem with an entry of a notes folder. */
export type NoteProblem = { readonly path: string; readonly problem: string };

/** A notes folder that exists, with its real path. */
type Root = { readonly folder: string; readonly name: string; readonly real: string };

type WalkState = {
  readonly place: NotesFolders;
  readonly roots: readonly Root[];
  readonly files: Map<string, NoteStat>;
  readonly folders: string[];
  readonly counts: Map<string, number>;
  readonly problems: NoteProblem[];
  /** Real paths of the folders that were reached through a link, so that a link loop ends. */
  readonly linked: Set<string>;
  readonly waiting: string[];
};

/**
 * Lists every entry of the notes folders without opening a file. Links are followed into the notes folders only. A notes folder in another one is listed by
 * itself. Calls `yieldToEventLoop` after each folder.
 */
export async function walkNotes(
  place: NotesFolders,
  yieldToEventLoop: () => Promise<void> | null,
): Promise<NotesListing> {
  const state: WalkState = {
    place,
    roots: (await Promise.all(foldersOf(place).map((folder) => rootAt(folder, place)))).flat(),
    files: new Map(),
    folders: [],
    counts: new Map(),
    problems: [],
    linked: new Set(),
    waiting: [],
  };
  for (const { folder, name } of state.roots) {
    const before = state.files.size;
    state.waiting.push(name);
    for (let next = state.waiting.pop(); next !== undefined; next = state.waiting.pop()) {
      await listFolder(next, state);
      const pause = yieldToEventLoop();
      if (pause !== null) await pause;
    }
    if (state.folders.includes(name)) state.counts.set(folder, state.files.size - before);
  }
  return state;
}

/** The directory entry of one note; null where there is no regular file, also behind a link loop or a folder that may not be entered. */
export async function statNote(place: NotesFolders, path: string): Promise<NoteStat | null> {
  const status = await refusedAsNull(stat(pathOfNote(place, path), { bigint: true }));
  return status?.isFile() === true ? statOf(path, status) : null;
}

async function rootAt(folder: string, place: NotesFolders): Promise<readonly Root[]> {
  const real = await refusedAsNull(realpath(folder));
  const isFolder = real !== null && (await refusedAsNull(stat(real)))?.isDirectory() === true;
  return isFolder ? [{ folder, name: noteName(place, folder), real }] : [];
}

async function listFolder(folder: string, state: WalkState): Promise<void> {
  const entries = await readOrReport(folder, state, () =>
    readdir(pathOfNote(state.place, folder), { withFileTypes: true }),
  );
  if (entries === null) return;
  state.folders.push(folder);
  const notes: string[] = [];
  for (const entry of entries) {
    const path = nameInside(state.place, folder, entry.name);
    const kind = classifyName(entry.name);
    if (kind === "conflict") {
      state.problems.push({ path, problem: conflict });
    } else if (entry.isSymbolicLink() && (kind === "note" || kind === "folder-or-other")) {
      await followLink(path, state);
    } else if (entry.isDirectory() && (kind === "note" || kind === "folder-or-other")) {
      if (!state.roots.some(({ name }) => name === path)) state.waiting.push(path);
    } else if (entry.isFile() && kind === "note") {
      notes.push(path);
    }
  }
  for (let from = 0; from < notes.length; from += besideEachOther) {
    const looks = notes.slice(from, from + besideEachOther).map(async (path) => {
      const status = await readOrReport(path, state, () =>
        lstat(pathOfNote(state.place, path), { bigint: true }),
      );
      return status === null ? [] : [statOf(path, status)];
    });
    for (const found of (await Promise.all(looks)).flat()) state.files.set(found.path, found);
  }
}

/** How many entries are looked at beside each other. */
const besideEachOther = 64;

const badName = "Its name is not UTF-8, so it is not read. Give it another name.";

const conflict =
  "Syncthing could not merge two versions and kept this one beside the other. It is not read. Merge them by hand, and delete this one.";

/** Follows a link into the notes folders. A link to an entry that is listed anyway adds nothing; a link out of them is reported. */
async function followLink(path: string, state: WalkState): Promise<void> {
  const real = await readOrReport(path, state, () => realpath(pathOfNote(state.place, path)));
  if (real === null || state.linked.has(real)) return;
  const root = innermostFolder(
    state.roots.map((each) => each.real),
    real,
  );
  if (root === real) return;
  const status = await readOrReport(path, state, () => stat(real, { bigint: true }));
  if (status === null) return;
  const isFolder = status.isDirectory();
  if (!isFolder && !isNoteName(path)) return;
  if (root === null) {
    const problem = `The link leads out of the notes folder, to ${real}, so it is not read. Name the folder of its target in MEMEX_DIR too, move the file into the notes folder, or delete the link.`;
    state.problems.push({ path, problem });
    return;
  }
  const parts = relative(root, real).split("/");
  const name = parts.at(-1) ?? "";
  const above = isFolder ? parts : parts.slice(0, -1);
  const isReached = above.every(
    (part) => classifyName(part) === "folder-or-other" || classifyName(part) === "note",
  );
  if (isReached && (isFolder || classifyName(name) === "note")) return;
  state.linked.add(real);
  if (isFolder) state.waiting.push(path);
  else if (status.isFile()) state.files.set(path, statOf(path, status));
}

function statOf(path: string, status: BigIntStats): NoteStat {
  return {
    path,
    size: Number(status.size),
    modified: String(status.mtimeNs),
    changed: String(status.ctimeNs),
    inode: String(status.ino),
  };
}

/** Returns null where an entry cannot be read, and reports that, unless the entry disappeared meanwhile. */
async function readOrReport<T>(
  path: string,
  { problems, place }: WalkState,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    if (code === null) throw error;
    if (code === "ELOOP")
      problems.push({ path, problem: "The link leads in a circle, so it is not read. Delete it." });
    else if (code === "ENOENT") {
      if (path.includes("\uFFFD")) problems.push({ path, problem: badName });
    } else
      problems.push({
        path,
        problem: `${pathOfNote(place, path)} cannot be looked at (${code}). It is not read.`,
      });
    return null;
  }
}

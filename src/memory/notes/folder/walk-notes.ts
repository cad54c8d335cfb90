import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { classifyName, isNoteName } from "../nodes/note-names.ts";
import type { NoteStat } from "../nodes/note-node.ts";

/** The contents of the notes folder. Paths are relative to it, with `/`. */
export type NotesListing = {
  readonly files: ReadonlyMap<string, NoteStat>;
  /** Every folder that was read, the notes folder itself (``) first. */
  readonly folders: readonly string[];
  /** The entries that were skipped, with the reason, for the owner. */
  readonly problems: readonly NoteProblem[];
};

/** A problem with an entry of the notes folder. */
export type NoteProblem = { readonly path: string; readonly problem: string };

type WalkState = {
  readonly root: string;
  readonly files: Map<string, NoteStat>;
  readonly folders: string[];
  readonly problems: NoteProblem[];
  /** Real paths of the folders that were reached through a link, so that a link loop ends. */
  readonly linked: Set<string>;
  readonly waiting: string[];
};

/**
 * Lists every entry of the notes folder without opening a file; null where the folder does not exist. Links are followed inside the folder only.
 * Calls `yieldToEventLoop` after each folder.
 */
export async function walkNotes(
  folder: string,
  yieldToEventLoop: () => Promise<void> | null,
): Promise<NotesListing | null> {
  const root = realFolder(folder);
  if (root === null) return null;
  const state: WalkState = {
    root,
    files: new Map(),
    folders: [],
    problems: [],
    linked: new Set(),
    waiting: [""],
  };
  for (let next = state.waiting.pop(); next !== undefined; next = state.waiting.pop()) {
    listFolder(next, state);
    const pause = yieldToEventLoop();
    if (pause !== null) await pause;
  }
  return state;
}

/** The directory entry of one file of the notes folder; null where there is no regular file. */
export function statNote(folder: string, path: string): NoteStat | null {
  try {
    const status = statSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    return status?.isFile() === true ? statOf(path, status) : null;
  } catch (error) {
    // Behind a link loop or a folder that may not be entered there is no readable file.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

function realFolder(folder: string): string | null {
  try {
    const real = realpathSync(folder);
    return statSync(real).isDirectory() ? real : null;
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

function listFolder(folder: string, state: WalkState): void {
  const entries = readOrReport(folder, state, () =>
    readdirSync(join(state.root, folder), { withFileTypes: true }),
  );
  if (entries === null) return;
  state.folders.push(folder);
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    const kind = classifyName(entry.name);
    if (kind === "conflict") {
      state.problems.push({ path, problem: conflict });
    } else if (entry.isSymbolicLink() && (kind === "note" || kind === "folder-or-other")) {
      followLink(path, state);
    } else if (entry.isDirectory() && (kind === "note" || kind === "folder-or-other")) {
      state.waiting.push(path);
    } else if (entry.isFile() && kind === "note") {
      const status = readOrReport(path, state, () => lstatSync(join(state.root, path), { bigint: true }));
      if (status !== null) state.files.set(path, statOf(path, status));
    }
  }
}

const badName = "Its name is not UTF-8, so it is not read. Give it another name.";

const conflict =
  "Syncthing could not merge two versions and kept this one beside the other. It is not read. Merge them by hand, and delete this one.";

/** Follows a link inside the folder. A link to an entry that is listed anyway adds nothing; a link out of the folder is reported. */
function followLink(path: string, state: WalkState): void {
  const { root } = state;
  const real = readOrReport(path, state, () => realpathSync(join(root, path)));
  if (real === null) return;
  const inside = relative(root, real).split(sep).join("/");
  if (inside === "" || state.linked.has(real)) return;
  const status = readOrReport(path, state, () => statSync(real, { bigint: true }));
  if (status === null) return;
  const isFolder = status.isDirectory();
  if (!isFolder && !isNoteName(path)) return;
  if (inside === ".." || inside.startsWith("../")) {
    state.problems.push({
      path,
      problem: `The link leads out of the notes folder, to ${real}, so it is not read. Move the file into the notes folder, or delete the link.`,
    });
    return;
  }
  const parts = inside.split("/");
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
function readOrReport<T>(path: string, { problems, root }: WalkState, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    if (code === null) throw error;
    if (code === "ELOOP")
      problems.push({ path, problem: "The link leads in a circle, so it is not read. Delete it." });
    else if (code === "ENOENT") {
      if (path.includes("\uFFFD")) problems.push({ path, problem: badName });
    } else
      problems.push({ path, problem: `${join(root, path)} cannot be looked at (${code}). It is not read.` });
    return null;
  }
}

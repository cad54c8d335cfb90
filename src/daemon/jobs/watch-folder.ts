import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Place } from "./watched-places.ts";

/** A folder with more is not watched: name a smaller one. */
const mostFiles = 20_000;
const mostFolders = 2000;

type Listed = { readonly files: Map<string, string>; readonly folders: string[] };

/** The files of a folder as a place in which changes begin jobs. Names that begin with a dot, `node_modules` and links are left out. */
export function folderPlace(folder: string, report: (message: string) => void): Place {
  const watchers = new FolderWatchers(folder, report);
  return {
    name: folder,
    event: "file-changed",
    async list() {
      const listed: Listed = { files: new Map(), folders: [] };
      // A link that took the place of the folder leads to files that its owner never named.
      const isThere = (await realpath(folder).catch(ifGone)) === folder;
      const isWhole = !isThere || (await walk(folder, folder, listed));
      if (isWhole) watchers.follow(listed.folders);
      else watchers.giveUp();
      return isWhole && listed.folders.length > 0 ? listed.files : null;
    },
    watch(changed) {
      watchers.changed = changed;
      return { isWatching: () => watchers.isWatching(), close: () => watchers.close() };
    },
  };
}

/** Watches each folder that the last scan found. */
class FolderWatchers {
  changed: (() => void) | null = null;
  readonly #folder: string;
  readonly #report: (message: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #fails = false;
  #isTooLarge = false;
  #told = "";

  constructor(folder: string, report: (message: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** A folder that is too large is not scanned again at each heartbeat. */
  isWatching(): boolean {
    return this.#isTooLarge || (this.#watchers.size > 0 && !this.#fails);
  }

  giveUp(): void {
    this.#isTooLarge = true;
    this.#tell(
      `${this.#folder} has more than ${mostFiles} files or ${mostFolders} folders, so no change in it begins a job. Name a smaller FOLDER in jobs.org.`,
    );
  }

  follow(folders: readonly string[]): void {
    this.#fails = false;
    this.#isTooLarge = false;
    if (folders.length === 0) this.#tell(`${this.#folder} is gone, so no change in it begins a job.`);
    const wanted = new Set(folders);
    for (const [path, watcher] of this.#watchers) if (!wanted.has(path)) this.#end(path, watcher);
    const added = [...wanted].filter((path) => !this.#watchers.has(path));
    for (const path of added) this.#begin(path);
    // Another scan finds what changed in a new folder before it was watched.
    if (added.length > 0) this.changed?.();
  }

  close(): void {
    this.changed = null;
    for (const [path, watcher] of this.#watchers) this.#end(path, watcher);
  }

  #begin(path: string): void {
    if (this.changed === null) return;
    try {
      const watcher = watch(path, { persistent: false }, this.changed);
      watcher.on("error", () => {
        this.#watchers.delete(path);
        this.#fails = true;
      });
      this.#watchers.set(path, watcher);
    } catch (error) {
      this.#fails = true;
      this.#tell(
        `${this.#folder} cannot be watched, so it is scanned at each heartbeat: ${error instanceof Error ? error.message : ""}`,
      );
    }
  }

  #end(path: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(path);
  }

  #tell(problem: string): void {
    if (this.#told !== problem) this.#report(problem);
    this.#told = problem;
  }
}

/** False where there is too much. What vanishes meanwhile is not there. */
async function walk(top: string, folder: string, listed: Listed): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifGone);
  if (entries === null) return true;
  listed.folders.push(folder);
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !(await walk(top, path, listed))) return false;
    if (entry.isFile()) {
      const found = await lstat(path, { bigint: true }).catch(ifGone);
      if (found !== null)
        listed.files.set(relative(top, path), `${found.size} ${found.mtimeNs} ${found.ino}`);
    }
    if (listed.files.size > mostFiles || listed.folders.length > mostFolders) return false;
  }
  return true;
}

const goneCodes: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

function ifGone(error: unknown): null {
  if (error instanceof Error && "code" in error && goneCodes.has(error.code)) return null;
  throw error;
}

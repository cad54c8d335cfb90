import { dirname, join, resolve } from "node:path";
import { entryIfThere, statusIfThere } from "../files/status-if-there.ts";
import { textOfFile } from "./text-of-file.ts";

/** What a repository borrows. */
type Borrowed = {
  /**
   * The repositories of which it reads the objects as its own. Only all of one says which of its objects are
   * secret files: some are in no commit, but staged.
   */
  readonly lenders: readonly string[];
  /** The first place that a list names and that is no folder of objects; null for none. */
  readonly odd: string | null;
};

/** How far git goes from list to list. */
const deepest = 5;
const mostLenders = 50;

/**
 * What a repository borrows, as one that was cloned with `--shared` or `--reference` does
 * (gitrepository-layout, "objects/info/alternates"). What is not there any more is left out: git says so.
 */
export async function findBorrowed(repository: string): Promise<Borrowed> {
  const found = new Map([[repository, 0]]);
  for (const [lender, depth] of found) {
    const path = join(lender, "objects/info/alternates");
    const list = await linesOf(path);
    if (list === null) return { lenders: [], odd: path };
    for (const line of depth === deepest ? [] : list) {
      const store = resolve(lender, "objects", line);
      if (found.has(dirname(store)) || (await statusIfThere(store)) === null) continue;
      if (line.startsWith('"') || found.size > mostLenders || !(await isStore(store)))
        return { lenders: [], odd: store };
      found.set(dirname(store), depth + 1);
    }
  }
  return { lenders: [...found.keys()].slice(1), odd: null };
}

/** The lines of a list; null where it is none that git would read. */
async function linesOf(path: string): Promise<readonly string[] | null> {
  if ((await entryIfThere(path)) === null) return [];
  const lines = (await textOfFile(path))?.split("\n");
  return lines?.filter((line) => line !== "" && !line.startsWith("#")) ?? null;
}

/** Whether a folder is that of the objects of a repository. Git makes all of these in each. */
async function isStore(path: string): Promise<boolean> {
  const folders = await Promise.all(
    ["info", "pack", "../refs"].map((name) => entryIfThere(join(path, name))),
  );
  const head = await entryIfThere(join(path, "../HEAD"));
  const isWhole = folders.every((each) => each?.isDirectory() === true) && head?.isFile() === true;
  return path.endsWith("/objects") && isWhole;
}

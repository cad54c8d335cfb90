import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Extent } from "../../signal/effect.ts";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { listChanged } from "./list-changed.ts";
import { type Listed, listQuery } from "./list-query.ts";
import { readNamedThings, type ThingSet } from "./named-things.ts";
import { type DestroyedSet, destroyedSet } from "./programs/destroyed-set.ts";
import { startedProgram, withoutWrappers } from "./programs/unwrap-words.ts";
import type { ResolvedChange } from "./said-changes.ts";

/** What the extent of a command is worked out from. */
export type ExtentRequest = {
  readonly argv: readonly string[];
  /** The commands before it in its pipeline. */
  readonly before: readonly (readonly string[])[];
  readonly worded: readonly ResolvedChange[];
  readonly cwd: string;
  /** The whole command line: a pattern that the owner typed counts where it stands in it. */
  readonly cmd: string;
  /** What the owner typed in this turn. */
  readonly words: readonly string[];
  readonly mayLook: boolean;
};

type Naming = Pick<ExtentRequest, "words" | "cmd" | "cwd" | "mayLook"> & {
  /** How many of the set commands before it in the turn took away. */
  readonly earlier?: number;
};

/** Files that are counted; nobody knows how many more are. */
const mostListed = 100_000;
/** Of so many the folders are looked at for what stays. */
const mostBeside = 1_000;
const mostShown = 20;

/** A set that a command destroys; `items` is null where nobody knows it before the command runs, and `shown` then has what it is at most. */
export type FoundSet = Omit<ThingSet, "items"> & {
  readonly items: readonly string[] | null;
  readonly shown: readonly string[];
};

/** What a command deletes, stops or replaces. Null where it is not known to destroy anything. */
export async function findSet(request: ExtentRequest): Promise<FoundSet | null> {
  const said = destroyedSet(request.argv) ?? (await filesOf(request));
  if (said === null) return null;
  const listed = said.items === null && request.mayLook ? await listSet(said, request) : null;
  const kind = said.items === null ? kindOf(said, request) : said.kind;
  const isRemoved = kind === "files" && !request.worded.some(({ how }) => how === "write");
  const items = listed?.isExact === true ? listed.items : said.items;
  return { kind, items, isRemoved, shown: (listed?.items ?? []).slice(0, mostShown) };
}

/** The extent of a set that nobody knows before the command runs. */
export function unknownExtent({ kind, shown }: FoundSet): Extent {
  return { kind, count: null, shown, unnamed: 1, others: [] };
}

/** How much a known set is, and how much of it the owner's words name. Null for a single thing. */
export async function extentOf(set: ThingSet, by: Naming): Promise<Extent | null> {
  const { kind, items } = set;
  if (items.length < 2) return null;
  const unnamed = readNamedThings(by.words, by).unnamed(set);
  return {
    kind,
    count: items.length,
    shown: items.slice(0, mostShown),
    unnamed: unnamed.length,
    ...(by.earlier === undefined || by.earlier === 0 ? {} : { earlier: by.earlier }),
    others: kind === "files" ? await neighbours(by, items) : [],
  };
}

/** What a set stands for that the words of the command leave open. */
async function listSet({ kind }: DestroyedSet, { argv, before, cwd }: ExtentRequest): Promise<Listed | null> {
  const found = await listQuery(argv, before, cwd);
  if (found !== null || startedProgram(argv) !== "git" || (kind !== "files" && kind !== "changes"))
    return found;
  const items = await listChanged(argv, cwd);
  return items && { items, isExact: false };
}

/** What the items of a set are: those that `xargs` is given are what the command behind it destroys. */
function kindOf({ kind }: DestroyedSet, { argv }: ExtentRequest): string {
  if (kind !== "things") return kind;
  return destroyedSet([...withoutWrappers(argv), "x"])?.kind ?? "files";
}

/** The files that a command deletes or replaces, those in folders included. A folder that the owner named is one thing. */
async function filesOf(request: ExtentRequest): Promise<DestroyedSet | null> {
  const { worded, cwd, mayLook } = request;
  const named = readNamedThings(request.words, request);
  const lost = worded.filter(({ how, exists }) => how === "delete" || (how === "write" && exists));
  const items: string[] = [];
  const shownOf = (path: string): string => (isInside(cwd, path) ? relative(cwd, path) || "." : path);
  for (const { path, tree, how, copied } of lost) {
    const shown = shownOf(path);
    if (how === "write" && copied !== undefined) pushAll(items, copied.replaced.map(shownOf));
    else if (!tree || how !== "delete" || named.whole(shown) || !mayLook) items.push(shown);
    else pushAll(items, await filesBelow(path, cwd, mostListed - items.length));
    if (items.length >= mostListed)
      return { kind: `files, ${mostListed.toLocaleString("en")} or more,`, items: null };
  }
  return items.length === 0 ? null : { kind: "files", items: [...new Set(items)] };
}

async function filesBelow(folder: string, cwd: string, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && found.length < limit; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => null);
    if (entries === null) found.push(isInside(cwd, next) ? relative(cwd, next) : next);
    for (const entry of entries ?? []) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else found.push(isInside(cwd, path) ? relative(cwd, path) : path);
    }
  }
  return found.sort();
}

/** What else is in the folders of the set. */
async function neighbours({ cwd, mayLook }: Naming, items: readonly string[]): Promise<readonly string[]> {
  if (!mayLook) return [];
  const folders = new Set(items.slice(0, mostBeside).map((item) => join(cwd, item, "..")));
  const names = await Promise.all(
    [...folders].slice(0, 5).map(async (folder) => {
      const entries = await readdir(folder).catch(() => []);
      return entries.map((name) => relative(cwd, join(folder, name)));
    }),
  );
  const held = new Set(items);
  return names
    .flat()
    .filter((name) => !held.has(name) && !items.some((item) => item.startsWith(`${name}/`)))
    .sort()
    .slice(0, mostShown);
}

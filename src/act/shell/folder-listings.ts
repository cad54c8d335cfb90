import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { pushAll } from "../../text/lists.ts";
import { errorCode } from "../files/fallible.ts";
import { isPattern, makeSegmentTest } from "./named-words.ts";
import { addedEndings } from "./script-names.ts";

/** A name that exists: its path as it was named, and its kind. */
export type Entry = { readonly path: string; readonly kind: "folder" | "file" | "link" };

/** The names of a folder: its entries, and the names that an interpreter finds when an ending is left out. */
type Listing = {
  /** True where names can be opened but not listed. */
  readonly closed: boolean;
  readonly entries: ReadonlyMap<string, "folder" | "file" | "link" | "other">;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
};

const endings = addedEndings.filter((ending) => !ending.startsWith("/"));
const insides = addedEndings.filter((ending) => ending.startsWith("/")).map((ending) => ending.slice(1));
const maxFolders = 2_000;
const maxMatches = 2_000;
const nothing: readonly Entry[] = [];

/** The names of folders, each read once. Resolves words as a shell and interpreters would, by names alone. */
export class FolderListings {
  readonly #known = new Map<string, Listing | null>();
  /** To call often where nothing is read: other work gets its turn. */
  readonly yieldToEventLoop = makeEventLoopYield();

  /** The entries of a folder, sorted by name; none if it cannot be read. */
  async entries(folder: string): Promise<readonly Entry[]> {
    const listing = await this.#list(folder);
    return [...(listing?.entries ?? [])].flatMap(([name, kind]) =>
      kind === "other" ? [] : [{ path: join(folder, name), kind }],
    );
  }

  /** What a word can mean in a folder. With `endings`, also the files of a module or package of that name. */
  async resolve(folder: string, word: string, withEndings: boolean): Promise<readonly Entry[]> {
    await this.yieldToEventLoop();
    if (isPattern(word)) return this.#expand(word.startsWith("/") ? "/" : folder, word);
    const path = resolve(folder, word);
    const parent = dirname(path);
    const listing = this.#known.get(parent) ?? (await this.#list(parent));
    if (listing === null) return nothing;
    if (listing.closed)
      return (await lstat(path).catch(() => null)) === null ? nothing : [{ path, kind: "link" }];
    const name = basename(path);
    const kind = listing.entries.get(name);
    const completed = withEndings ? listing.byStem.get(name) : undefined;
    if (kind === undefined && completed === undefined) return nothing;
    const found = kind === undefined || kind === "other" ? [] : [{ path, kind }];
    const files = (completed ?? []).map((each): Entry => ({ path: join(parent, each), kind: "file" }));
    return [...found, ...files, ...(withEndings && kind === "folder" ? await this.#insides(path) : [])];
  }

  async #insides(folder: string): Promise<readonly Entry[]> {
    const listing = await this.#list(folder);
    return insides
      .filter((name) => listing?.entries.has(name) === true)
      .map((name) => ({ path: join(folder, name), kind: "link" }));
  }

  async #expand(start: string, pattern: string): Promise<readonly Entry[]> {
    let paths: readonly Entry[] = [{ path: start, kind: "folder" }];
    for (const segment of pattern.split("/").filter((part) => part !== "" && part !== ".")) {
      const next: Entry[] = [];
      for (const { path } of paths) {
        if (segment === "..") next.push({ path: dirname(path), kind: "folder" });
        else pushAll(next, await this.#matching(path, segment));
      }
      paths = next.slice(0, maxMatches);
    }
    return paths;
  }

  async #matching(folder: string, segment: string): Promise<readonly Entry[]> {
    const fits = makeSegmentTest(segment);
    const hidden = segment.startsWith(".");
    return (await this.entries(folder)).filter(({ path }) => {
      const name = basename(path);
      return (hidden || !name.startsWith(".")) && fits(name);
    });
  }

  async #list(folder: string): Promise<Listing | null> {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    if (this.#known.size >= maxFolders) return null;
    const listing = await readListing(folder);
    this.#known.set(folder, listing);
    return listing;
  }
}

async function readListing(folder: string): Promise<Listing | null> {
  const read = await readdir(folder, { withFileTypes: true }).catch((fault: unknown) => errorCode(fault));
  if (typeof read === "string")
    return read === "EACCES" ? { closed: true, entries: new Map(), byStem: new Map() } : null;
  const sorted = read.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const entries = new Map(
    sorted.map((entry) => {
      const kind = entry.isDirectory()
        ? "folder"
        : entry.isFile()
          ? "file"
          : entry.isSymbolicLink()
            ? "link"
            : "other";
      return [entry.name, kind] as const;
    }),
  );
  const byStem = new Map<string, string[]>();
  for (const { name } of sorted) {
    for (const ending of endings.filter((each) => name.endsWith(each))) {
      const stem = name.slice(0, -ending.length);
      byStem.set(stem, [...(byStem.get(stem) ?? []), name]);
    }
  }
  return { closed: false, entries, byStem };
}

/** Whether an entry is one of the samples of hooks that git puts beside them. */
export function isSample({ path }: Entry): boolean {
  return /\/\.git\/hooks\/[^/]+\.sample$/.test(path);
}

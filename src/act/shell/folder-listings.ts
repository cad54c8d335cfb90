import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isPattern, patternOfSegment } from "./named-words.ts";
import { addedEndings } from "./script-names.ts";

/** The names of a folder: its entries, and the names that an interpreter finds when an ending is left out. */
type Listing = {
  readonly entries: ReadonlyMap<string, "folder" | "file" | "link" | "other">;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
};

const endings = addedEndings.filter((ending) => !ending.startsWith("/"));
const insides = addedEndings.filter((ending) => ending.startsWith("/")).map((ending) => ending.slice(1));
const maxFolders = 2_000;
const maxMatches = 500;

/** The names of folders, each read once. Resolves words as a shell and interpreters would, by names alone. */
export class FolderListings {
  readonly #known = new Map<string, Listing | null>();

  /** The names in a folder, sorted, with their kinds; none if it cannot be read. */
  async entries(folder: string): Promise<readonly (readonly [name: string, kind: string])[]> {
    return [...((await this.#list(folder))?.entries ?? [])];
  }

  /** The existing paths that a word can mean in a folder. With `endings`, also the files of a module or package of that name. */
  async resolve(folder: string, word: string, withEndings: boolean): Promise<readonly string[]> {
    if (isPattern(word)) return this.#expand(word.startsWith("/") ? "/" : folder, word);
    const path = resolve(folder, word);
    const parent = dirname(path);
    const listing = this.#known.get(parent) ?? (await this.#list(parent));
    if (listing === null) return [];
    const name = basename(path);
    const kind = listing.entries.get(name);
    const found = kind === undefined || kind === "other" ? [] : [path];
    if (!withEndings) return found;
    const completed = (listing.byStem.get(name) ?? []).map((each) => join(parent, each));
    return [
      ...found,
      ...completed,
      ...(kind === "folder" || kind === "link" ? await this.#insides(path) : []),
    ];
  }

  async #insides(folder: string): Promise<readonly string[]> {
    const listing = await this.#list(folder);
    return insides.filter((name) => listing?.entries.has(name) === true).map((name) => join(folder, name));
  }

  async #expand(start: string, pattern: string): Promise<readonly string[]> {
    let paths = [start];
    for (const segment of pattern.split("/").filter((part) => part !== "" && part !== ".")) {
      const next: string[] = [];
      for (const path of paths) {
        if (segment === "..") next.push(dirname(path));
        else if (!isPattern(segment)) next.push(join(path, segment));
        else next.push(...(await this.#matching(path, segment)));
      }
      paths = next.slice(0, maxMatches);
    }
    const found: string[] = [];
    for (const path of paths) {
      if ((await this.#list(dirname(path)))?.entries.has(basename(path)) === true) found.push(path);
    }
    return found;
  }

  async #matching(folder: string, segment: string): Promise<readonly string[]> {
    const form = patternOfSegment(segment);
    const hidden = segment.startsWith(".");
    return (await this.entries(folder))
      .filter(([name]) => (hidden || !name.startsWith(".")) && form.test(name))
      .map(([name]) => join(folder, name));
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
  const read = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (read === null) return null;
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
  return { entries, byStem };
}

import { join } from "node:path";
import { isRepositoryData } from "../../signal/executed-later/executed-later.ts";
import { diffFile, diffOfWhole, type FileDiff, largestCompared } from "../../signal/file-diff.ts";
import { readWholeFile } from "../files/contents.ts";
import { type Difference, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";

/**
 * Files that are compared, and characters of their diffs. Of further ones the names are shown, and of those
 * beyond these the number.
 */
const most = { compared: 100, characters: 300_000, named: 1_000 };

/**
 * Compares the files that a command changed in its overlay, for a person, those below folders included. Links
 * stand among the effects alone.
 */
export async function diffsOf({ exchanges }: Difference): Promise<readonly FileDiff[]> {
  const places = exchanges.map(({ path, was, incoming }) => ({
    path,
    before: was === null ? null : path,
    after: incoming,
  }));
  return diffsOfPlaces(places, (path) => !isRepositoryData(path));
}

/** Two versions of what is at a path, by where they lie: a file, a folder or a link, null for nothing. */
export type Places = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** Compares two versions of many places, file by file. */
export async function diffsOfPlaces(
  places: readonly Places[],
  isShown: (path: string) => boolean,
): Promise<readonly FileDiff[]> {
  const found = (await Promise.all(places.map(filesOf))).flat().filter(({ path }) => isShown(path));
  const files = found.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const diffs: FileDiff[] = [];
  let characters = 0;
  for (const [at, file] of files.slice(0, most.named).entries()) {
    const isCompared = at < most.compared && characters < most.characters;
    const diff = isCompared ? await diffOfPlaces(file) : nameOf(file);
    characters += diff.diff.length;
    diffs.push(diff);
  }
  const [more] = files.slice(most.named);
  if (more !== undefined) {
    const count = (files.length - most.named - 1).toLocaleString("en");
    diffs.push({ ...diffOfWhole(more.path, null, `and ${count} more files`), change: changeOf(more) });
  }
  return diffs;
}

/** A change by its name alone. */
export function nameOf(places: Places): FileDiff {
  return { path: places.path, change: changeOf(places), added: 0, removed: 0, diff: "", left: 0 };
}

function changeOf({ before, after }: Places): FileDiff["change"] {
  return after === null ? "delete" : before === null ? "create" : "replace";
}

/** The files at and below a place. */
async function filesOf({ path, before, after }: Places): Promise<readonly Places[]> {
  const [old, now] = [await filesAt(before), await filesAt(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((inside) => ({
    path: `${path}${inside}`,
    before: old.get(inside) ?? null,
    after: now.get(inside) ?? null,
  }));
}

/** Where the files at and below a place lie, by their names in it, which begin with a slash. */
async function filesAt(place: string | null): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  if (place === null) return files;
  for await (const { inside, status } of walkEntries(place)) {
    const name = inside === "" ? "" : join("/", inside);
    if (status.isFile()) files.set(name, `${place}${name}`);
  }
  return files;
}

/**
 * Compares two versions of a file by where they lie; null for no file. What is too large, or cannot be read,
 * stands as a whole.
 */
async function diffOfPlaces({ path, before, after }: Places): Promise<FileDiff> {
  const [old, now] = [await bytesOf(before), await bytesOf(after)];
  return old === undefined || now === undefined
    ? diffOfWhole(path, await wholeOf(before), await wholeOf(after))
    : diffFile(path, old, now);
}

/** A person's own files come before those of a repository's own folder. */
function rankOf(path: string): number {
  return path.includes("/.git/") ? 1 : 0;
}

/** Undefined where it is too large or cannot be read. */
async function bytesOf(path: string | null): Promise<Uint8Array | null | undefined> {
  const read = path === null ? null : await readWholeFile(path, largestCompared);
  return read === null ? null : read.ok ? read.value?.bytes : undefined;
}

/** A file that is not compared line by line, in words; null for no file. */
async function wholeOf(path: string | null): Promise<string | null> {
  const status = path === null ? null : await statusOf(path);
  return status === null ? null : `not compared, ${status.size.toLocaleString("en")} bytes`;
}

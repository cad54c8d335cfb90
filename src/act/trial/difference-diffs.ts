import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { countDiffs } from "../../signal/count-diffs.ts";
import { diffFile, diffOfWhole, type FileDiff, largestCompared } from "../../signal/file-diff.ts";
import { isRepositoryData, namesCommits } from "../../text/later/executed-later.ts";
import { readWholeFile } from "../files/contents.ts";
import { lookAt } from "../files/real-path.ts";
import { type Difference, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { octal } from "./opened-rights.ts";

/**
 * Files that are named, bytes that are compared, and characters of all diffs. Of further bytes no lines are
 * counted, of further characters only the
 * counts are kept, and further files stand as one entry.
 */
const most = { named: 1_000, bytes: 64_000_000, characters: 300_000 };

/**
 * Compares what a command changed in its overlay, for a person: files, links, folders without anything in
 * them, those below other folders included, and the permissions of folders that stay. What no exchange gives
 * a path is told by its effects alone.
 */
export async function diffsOf({
  exchanges,
  modes,
  unheld,
}: Pick<Difference, "exchanges" | "modes" | "unheld">): Promise<readonly FileDiff[]> {
  const places = exchanges.map(({ path, was, incoming }) => ({
    path,
    before: was === null ? null : path,
    after: incoming,
  }));
  const isShown = (path: string): boolean => !isRepositoryData(path) || namesCommits(path);
  const diffs = await diffsOfPlaces(places, isShown, unheld);
  const folders = modes.map(({ path, was, mode }) => diffOfModes(path, was, mode));
  return withRest([...diffs, ...folders]);
}

/** No more entries than are named, and behind them one that stands for all others. */
function withRest(diffs: readonly FileDiff[]): readonly FileDiff[] {
  const whole = diffs.filter(({ rest }) => rest === undefined);
  const others = [...whole.slice(most.named), ...diffs.filter(({ rest }) => rest !== undefined)];
  const [first] = others;
  if (first === undefined) return whole;
  const { files, deleted } = countDiffs(others);
  const { path, change } = first;
  const rest = { path, change, added: 0, removed: 0, diff: "", left: 0, rest: { files, deleted } };
  return [...whole.slice(0, most.named), rest];
}

/** Two versions of what is at a path, by where they lie: a file, a folder or a link, null for nothing. */
export type Places = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** Compares two versions of many places, entry by entry. Of the paths `unheld` no permissions are told. */
export async function diffsOfPlaces(
  places: readonly Places[],
  isShown: (path: string) => boolean,
  unheld: ReadonlyMap<string, unknown> = new Map(),
): Promise<readonly FileDiff[]> {
  const found = (await Promise.all(places.map(filesOf))).flat().filter(({ path }) => isShown(path));
  const files = found.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const diffs: FileDiff[] = [];
  let [characters, bytes] = [0, 0];
  for (const file of files.slice(0, most.named)) {
    bytes += await sizeOf(file);
    const diff: FileDiff =
      bytes <= most.bytes
        ? await diffOfPlaces(file, !unheld.has(file.path))
        : { ...nameOf(file), uncounted: true };
    characters += diff.diff.length;
    diffs.push(characters <= most.characters ? diff : withoutLines(diff));
  }
  return withRest([...diffs, ...files.slice(most.named).map(nameOf)]);
}

/** Bytes of both versions. */
async function sizeOf({ before, after }: Places): Promise<number> {
  const sizes = [await statusAt(before), await statusAt(after)].map((status) => Number(status?.size ?? 0n));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function withoutLines(diff: FileDiff): FileDiff {
  return diff.diff === "" ? diff : { ...diff, diff: "", left: diff.left + diff.diff.split("\n").length };
}

/** A change by its name alone. */
export function nameOf(places: Places): FileDiff {
  return { path: places.path, change: changeOf(places), added: 0, removed: 0, diff: "", left: 0 };
}

function changeOf({ before, after }: Places): FileDiff["change"] {
  return after === null ? "delete" : before === null ? "create" : "replace";
}

/** What differs or may differ at and below a place: files, links, and folders that hold nothing. */
async function filesOf({ path, before, after }: Places): Promise<readonly Places[]> {
  const [old, now] = [await entriesAt(before), await entriesAt(after)];
  const names = new Set([...old.leaves, ...now.leaves]);
  const stays = (name: string): boolean => old.folders.has(name) && now.folders.has(name);
  const placeIn = (place: string | null, { leaves }: Entries, name: string): string | null =>
    place !== null && leaves.has(name) ? `${place}${name}` : null;
  return [...names]
    .filter((name) => !stays(name))
    .map((name) => ({
      path: `${path}${name}`,
      before: placeIn(before, old, name),
      after: placeIn(after, now, name),
    }));
}

/** The names at and below a place, which begin with a slash: all folders, and what has nothing below it. */
type Entries = { readonly folders: ReadonlySet<string>; readonly leaves: ReadonlySet<string> };

async function entriesAt(place: string | null): Promise<Entries> {
  const [folders, leaves] = [new Set<string>(), new Set<string>()];
  if (place === null) return { folders, leaves };
  for await (const { inside, status } of walkEntries(place)) {
    const name = inside === "" ? "" : join("/", inside);
    leaves.add(name);
    if (status.isDirectory()) folders.add(name);
    if (name !== "") leaves.delete(name.slice(0, name.lastIndexOf("/")));
  }
  return { folders, leaves };
}

/**
 * Compares two versions of an entry by where they lie; null for none. What is too large, or cannot be read,
 * stands as a whole.
 */
async function diffOfPlaces({ path, before, after }: Places, tellsModes: boolean): Promise<FileDiff> {
  const [was, is] = [await statusAt(before), await statusAt(after)];
  if (was?.isFile() === false || is?.isFile() === false) {
    const [left, right] = [await wholeOf(before, was), await wholeOf(after, is)];
    return left === right ? nameOf({ path, before, after }) : diffOfWhole(path, left, right);
  }
  const [old, now] = [await bytesOf(before), await bytesOf(after)];
  if (old === undefined || now === undefined)
    return diffOfWhole(path, await wholeOf(before, was), await wholeOf(after, is));
  if (was === null || is === null || !haveSameContents(old, now)) return diffFile(path, old, now);
  return tellsModes ? diffOfModes(path, Number(was.mode), Number(is.mode)) : nameOf({ path, before, after });
}

function haveSameContents(old: Uint8Array | null, now: Uint8Array | null): boolean {
  return old !== null && now !== null && Buffer.compare(old, now) === 0;
}

/** Other permissions of what holds the same. Those by which a program runs as its owner are never kept. */
function diffOfModes(path: string, was: number, mode: number): FileDiff {
  const [left, right] = [octal(was), octal(mode & 0o1777)];
  if (left === right) return nameOf({ path, before: path, after: path });
  return diffOfWhole(path, `permissions ${left}`, `permissions ${right}`);
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

async function statusAt(path: string | null): Promise<BigIntStats | null> {
  return path === null ? null : await statusOf(path);
}

/** What is not compared line by line, in words; null for nothing. */
async function wholeOf(path: string | null, status: BigIntStats | null): Promise<string | null> {
  if (path === null || status === null) return null;
  if (status.isDirectory()) return "an empty folder";
  if (status.isFile()) return `not compared, ${status.size.toLocaleString("en")} bytes`;
  if (!status.isSymbolicLink()) return status.isFIFO() ? "a pipe" : "a socket";
  const found = await lookAt(path);
  const leads = typeof found === "object" ? ` to ${found.target.replaceAll(/[\r\n]/g, "␤")}` : "";
  return `a link${leads}`;
}

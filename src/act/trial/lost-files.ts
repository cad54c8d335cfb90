import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../machine/digest.ts";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { makeBuiltAgainTest } from "./built-again.ts";
import { type Difference, namesIn, statusOf } from "./difference.ts";
import { isOfEndedMerge } from "./ended-merge.ts";
import { hasMoreWords, keepsByEnds, WordCounts } from "./word-counts.ts";

/**
 * Other contents in so many files at most are what a command is for, as long as they are not next to
 * nothing. Parts that files lose add up to files.
 */
const mostReplaced = 10;
/** The part of its words, or of its bytes, that is left of a file of which something stays. */
export const leastKept = 0.1;
/** The part of its words that stays in a file that was edited. */
const keptByEdit = 0.75;

/** Bytes. Of larger files no copy is looked for, and only their ends are read, and their size. */
const largestRead = 64_000_000;
/** Bytes of each end. */
const endLength = largestRead / 2;
/** Bytes that are read at once. */
const pieceLength = 1_048_576;

/** One version of a file. Its contents are read when they are asked for. */
export type Version = {
  /** Bytes. */
  readonly size: number;
  /** Its contents, where they are in memory and read as a whole. */
  readonly bytes?: Uint8Array;
  /** Its contents, or its two ends, piece by piece. */
  readonly pieces: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly digest: () => Promise<string>;
};

/** A version that is on the disk. */
export type StoredVersion = Version & { readonly place: string };

/** A path with the file that was there and the one that is; null where no file takes the place. */
export type ChangedFile = { readonly path: string; readonly before: Version; readonly after: Version | null };

/** Changes of files. */
export type FileChanges = {
  readonly changed: readonly ChangedFile[];
  /** At these paths and below them nothing is any more but what the changes put there. */
  readonly paths: ReadonlySet<string>;
  /** Every file that they make or change, as it is after them, but for what a build makes again. */
  readonly made: () => Promise<readonly Version[]>;
};

/** A file with the part of it that is lost: 1 for all. */
type LostPart = { readonly path: string; readonly part: number };

/**
 * The files of which nothing or next to nothing stays, and those that lose a part, or all for other contents,
 * which count where they are many. What has a copy in what was made counts as neither.
 */
export type Loss = { readonly taken: readonly string[]; readonly replaced: readonly LostPart[] };

/** The files that count as lost. */
export function countedFiles({ taken, replaced }: Loss): readonly string[] {
  const sum = replaced.reduce((before, { part }) => before + part, 0);
  return sum > mostReplaced ? [...taken, ...replaced.map(({ path }) => path)] : taken;
}

/** What changes of files lose. */
export async function lossOf({ changed, made }: Omit<FileChanges, "paths">): Promise<Loss> {
  let bySize: ReadonlyMap<number, readonly Version[]> | undefined;
  const taken: string[] = [];
  const replaced: LostPart[] = [];
  for (const { path, before, after } of changed) {
    if (after === null) taken.push(path);
    else if (before.size > 0) {
      const { kept, isNothing } = await whatStays(before, after);
      if (kept >= keptByEdit) continue;
      bySize ??= Map.groupBy(await made(), ({ size }) => size);
      if (before.size <= largestRead && (await hasCopy(before, bySize.get(before.size) ?? []))) continue;
      if (isNothing) taken.push(path);
      else replaced.push({ path, part: kept < leastKept ? 1 : 1 - kept });
    }
  }
  return { taken, replaced };
}

/**
 * The part of a file that another version has, and whether that is next to nothing. Where next to nothing or
 * nearly all stays, that is known without counting.
 */
async function whatStays(
  before: Version,
  after: Version,
): Promise<{ readonly kept: number; readonly isNothing: boolean }> {
  if (after.size === 0) return { kept: 0, isNothing: true };
  if (before.bytes !== undefined && after.bytes !== undefined)
    if (keepsByEnds(before.bytes, after.bytes, keptByEdit)) return { kept: keptByEdit, isNothing: false };
  const mostWords = (after.size + 1) / 2;
  if (after.size < before.size * leastKept && (await hasMoreWords(before.pieces(), mostWords / leastKept)))
    return { kept: 0, isNothing: true };
  const old = await countWords(before, new WordCounts());
  const now = await countWords(after, new WordCounts(old));
  const bySize = after.size / before.size;
  const kept = Math.min(old.keptIn(now), before.size > largestRead ? bySize : 1);
  return { kept, isNothing: kept < leastKept && (bySize < leastKept || now.isEmpty) };
}

async function countWords(version: Version, counts: WordCounts): Promise<WordCounts> {
  for await (const piece of version.pieces()) counts.add(piece);
  counts.add(blank);
  return counts;
}

/**
 * What keeping a difference changes in files, but for what a build makes again, for the state of a merge that
 * a commit ended, and for what git keeps in another file.
 */
export async function changesOf(
  { exchanges }: Pick<Difference, "exchanges">,
  workspace: string,
  isPackedAnew: (path: string) => Promise<boolean> = async () => false,
): Promise<FileChanges> {
  const changed: ChangedFile[] = [];
  const made: Version[] = [];
  const isBuiltAgain = makeBuiltAgainTest(workspace);
  for (const { path, was, incoming } of exchanges) {
    const after = await filesAt(incoming);
    for (const [inside, file] of after)
      if (file !== null && !(await isBuiltAgain(join(path, inside)))) made.push(file);
    if (was === null) continue;
    for (const [inside, file] of await filesAt(path)) {
      const target = join(path, inside);
      if (isOfEndedMerge(target, exchanges) || (await isBuiltAgain(target))) continue;
      const becomes = after.get(inside);
      if (becomes === undefined) {
        if (!(await isPackedAnew(target)))
          changed.push({ path: target, before: file ?? nothing, after: null });
      } else if (file !== null && file.size > 0) changed.push({ path: target, before: file, after: becomes });
    }
  }
  return { changed, paths: new Set(exchanges.map(({ path }) => path)), made: async () => made };
}

/** What is at and below a path, folders left out: null for what is no file. At most so many. */
export async function filesAt(
  path: string | null,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadonlyMap<string, StoredVersion | null>> {
  const found = new Map<string, StoredVersion | null>();
  if (path === null) return found;
  const waiting = [""];
  for (const inside of waiting) {
    if (found.size >= most) break;
    const place = join(path, inside);
    const status = await statusOf(place);
    if (status === null) continue;
    if (status.isDirectory())
      pushAll(
        waiting,
        (await namesIn(place)).map((name) => join(inside, name)),
      );
    else found.set(inside, status.isFile() ? versionAt(place, Number(status.size)) : null);
  }
  return found;
}

/** Contents that are known. */
export function versionOf(bytes: Uint8Array): Version {
  const { length } = bytes;
  const isWhole = length <= largestRead;
  return {
    size: length,
    ...(isWhole ? { bytes } : {}),
    pieces: () => (isWhole ? [bytes] : [bytes.subarray(0, endLength), blank, bytes.subarray(-endLength)]),
    digest: once(async () => sha256(bytes)),
  };
}

const blank = Buffer.from(" ");
const nothing = versionOf(new Uint8Array());

function versionAt(place: string, size: number): StoredVersion {
  const path = bytesOfPath(place);
  return {
    place,
    size,
    pieces: () => piecesOf(path),
    digest: once(async () => sha256(await readFile(path))),
  };
}

async function* piecesOf(path: string | Buffer): AsyncGenerator<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size } = await file.stat();
  const ends = [
    { at: 0, end: endLength },
    { at: size - endLength, end: size },
  ];
  for (const { at, end } of size > largestRead ? ends : [{ at: 0, end: size }]) {
    for (let from = at; from < end; from += pieceLength) {
      const length = Math.min(pieceLength, end - from);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      yield buffer.subarray(0, bytesRead);
    }
    yield blank;
  }
}

/** Whether a file with these very bytes is among others. */
export async function hasCopy(before: Version, made: readonly Version[]): Promise<boolean> {
  for (const file of made)
    if (file.size === before.size && (await file.digest()) === (await before.digest())) return true;
  return false;
}

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isBuildOutput } from "../../signal/build-output.ts";
import { pushAll } from "../../signal/lists.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { type Difference, namesIn, statusOf } from "./difference.ts";

/**
 * Other contents in so many files at most are what a command is for, as long as they are not next to
 * nothing.
 */
const mostReplaced = 10;
/** The part of its words, or of its bytes, that is left of a file of which something stays. */
export const leastKept = 0.1;

/** Bytes. Of larger files no copy is looked for. */
const largestCopy = 64_000_000;
/** Bytes. Larger files are looked at by their ends alone. */
const largestRead = 2_000_000;
/** Bytes of each end. */
const endLength = 65_536;

/** One version of a file. Its contents are read when they are asked for. */
export type Version = {
  /** Bytes. */
  readonly size: number;
  readonly words: () => Promise<ReadonlySet<string>>;
  readonly digest: () => Promise<string>;
};

/** A version that is on the disk. */
export type StoredVersion = Version & { readonly place: string };

/** A path with the file that was there and the one that is; null where no file takes the place. */
export type ChangedFile = { readonly path: string; readonly before: Version; readonly after: Version | null };

/** Changes of files, and every file that they made or changed, as it is after them. */
export type FileChanges = {
  readonly changed: readonly ChangedFile[];
  readonly made: () => Promise<readonly Version[]>;
};

/**
 * The files of which nothing or next to nothing stays, and those with wholly other contents, which count
 * where they are many. What has a copy in what was made counts as neither.
 */
export type Loss = { readonly taken: readonly string[]; readonly replaced: readonly string[] };

/** The files that count as lost. */
export function countedFiles({ taken, replaced }: Loss): readonly string[] {
  return replaced.length > mostReplaced ? [...taken, ...replaced] : taken;
}

/** What changes of files lose. */
export async function lossOf({ changed, made }: FileChanges): Promise<Loss> {
  let bySize: ReadonlyMap<number, readonly Version[]> | undefined;
  const taken: string[] = [];
  const replaced: string[] = [];
  for (const { path, before, after } of changed) {
    if (after === null) taken.push(path);
    else if (before.size > 0) {
      const isEmpty = after.size === 0;
      if (!isEmpty && (await keptShare(before, after)) >= leastKept) continue;
      bySize ??= Map.groupBy(await made(), ({ size }) => size);
      if (before.size <= largestCopy && (await hasCopy(before, bySize.get(before.size) ?? []))) continue;
      const isSmall = after.size < before.size * leastKept;
      (isEmpty || isSmall || (await after.words()).size === 0 ? taken : replaced).push(path);
    }
  }
  return { taken, replaced };
}

/** What keeping a difference changes in files, but for what a build makes again. */
export async function changesOf({ exchanges }: Difference, workspace: string): Promise<FileChanges> {
  const changed: ChangedFile[] = [];
  const made: Version[] = [];
  for (const { path, was, incoming } of exchanges) {
    const after = await filesAt(incoming);
    for (const file of after.values()) if (file !== null) made.push(file);
    if (was === null) continue;
    for (const [inside, file] of await filesAt(path)) {
      const target = join(path, inside);
      if (isBuildOutput(target, workspace)) continue;
      const becomes = after.get(inside);
      if (becomes === undefined) changed.push({ path: target, before: file ?? nothing, after: null });
      else if (file !== null && file.size > 0) changed.push({ path: target, before: file, after: becomes });
    }
  }
  return { changed, made: async () => made };
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
  const isWhole = bytes.length <= largestRead;
  const ends = () => Buffer.concat([bytes.subarray(0, endLength), blank, bytes.subarray(-endLength)]);
  return {
    size: bytes.length,
    words: async () => wordsOf(isWhole ? bytes : ends()),
    digest: once(async () => digestOf(bytes)),
  };
}

const blank = Buffer.from(" ");
const nothing = versionOf(new Uint8Array());

function versionAt(place: string, size: number): StoredVersion {
  const path = bytesOfPath(place);
  return {
    place,
    size,
    words: async () => wordsOf(size <= largestRead ? await readFile(path) : await endsOf(path, size)),
    digest: once(async () => digestOf(await readFile(path))),
  };
}

async function endsOf(path: string | Buffer, size: number): Promise<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const read = async (from: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(endLength), 0, endLength, from);
    return buffer.subarray(0, bytesRead);
  };
  return Buffer.concat([await read(0), blank, await read(size - endLength)]);
}

/** The share of the words of a file that another version has; all where it has none. */
async function keptShare(before: Version, after: Version): Promise<number> {
  const [old, now] = [await before.words(), await after.words()];
  return old.size === 0 ? 1 : old.intersection(now).size / old.size;
}

/** The words of contents, without their case: what an editor or a formatter moves about. */
function wordsOf(bytes: Uint8Array): ReadonlySet<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return new Set(text.toLowerCase().match(/[\w\u0080-\u00ff]+/g));
}

/** Whether a file with these very bytes is among others. */
export async function hasCopy(before: Version, made: readonly Version[]): Promise<boolean> {
  for (const file of made)
    if (file.size === before.size && (await file.digest()) === (await before.digest())) return true;
  return false;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

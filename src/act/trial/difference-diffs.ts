import { isRepositoryData } from "../../signal/executed-later/executed-later.ts";
import { diffFile, diffOfWhole, type FileDiff, largestCompared } from "../../signal/file-diff.ts";
import { readWholeFile } from "../files/contents.ts";
import { type Difference, statusOf } from "./difference.ts";

/** Files that are compared. Of further ones only the effects are shown. */
const mostFiles = 100;

/**
 * Compares the files that a command changed in its overlay, for a person. Folders and links stand among the
 * effects alone.
 */
export async function diffsOf({ exchanges }: Difference): Promise<readonly FileDiff[]> {
  const compared = exchanges.filter(
    ({ path, was, becomes }) => (was === "file" || becomes === "file") && !isRepositoryData(path),
  );
  const files = compared.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const diffs: FileDiff[] = [];
  for (const { path, was, becomes, incoming } of files.slice(0, mostFiles))
    diffs.push(await diffOfPlaces(path, was === "file" ? path : null, becomes === "file" ? incoming : null));
  return diffs;
}

/**
 * Compares two versions of a file by where they lie; null for no file. What is too large, or cannot be read,
 * stands as a whole.
 */
export async function diffOfPlaces(
  path: string,
  before: string | null,
  after: string | null,
): Promise<FileDiff> {
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

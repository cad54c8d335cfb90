import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { statusOf } from "./difference.ts";
import { type IndexFile, type IndexPart, readIndex } from "./index-entries.ts";
import { TooLarge } from "./measure.ts";
import { joinParts } from "./split-index.ts";

/** Bytes. An index has about a hundred for each file. */
export const largestRead = 64_000_000;

/** A file of a repository. Throws `TooLarge`. */
async function readBounded(path: string): Promise<Buffer> {
  const status = await statusOf(path);
  if ((status?.size ?? 0) > largestRead) throw new TooLarge(`${path} has more than ${largestRead} bytes`);
  if (status?.isFile() === false) throw new TooLarge(`${path} is no file`);
  return readFile(bytesOfPath(path));
}

/** The text of a file of a repository; null where there is none. */
export async function textIn(path: string | null): Promise<string | null> {
  if (path === null || (await statusOf(path))?.isFile() !== true) return null;
  return textOfName(await readBounded(path));
}

/**
 * The files that an index lists, by the folder that it is in, also those in the part that it shares; none
 * where there is no index, and null where it cannot be read.
 */
export async function filesOfIndex(
  own: string,
  at: (path: string) => string | null,
): Promise<readonly IndexFile[] | null> {
  const part = async (name: string): Promise<IndexPart | null> => {
    const place = at(join(own, name));
    if (place === null || (await statusOf(place)) === null) return name === "index" ? nothing : null;
    return readIndex(await readBounded(place));
  };
  const index = await part("index");
  const link = index?.link ?? null;
  if (index === null || link === null || /^0+$/.test(link.shared)) return index?.files ?? null;
  const shared = await part(`sharedindex.${link.shared}`);
  return shared && joinParts(index.files, shared.files, link);
}

const nothing: IndexPart = { files: [], link: null };

/** The folder whose files an index lists, by the folder that the index is in. */
export async function workTreeOf(own: string): Promise<string> {
  const linked = (await textIn(join(own, "gitdir")))?.trim();
  if (linked !== undefined) return dirname(resolve(own, linked));
  const settings = (await textIn(join(own, "config"))) ?? "";
  const [, named] = /(?<=^|\n)\s*worktree = ([^\n]+)/.exec(settings) ?? [];
  return named === undefined ? dirname(own) : resolve(own, named);
}

/** Where what is checked out is looked up. */
export type Place = {
  readonly own: string;
  readonly repository: string;
  /** Where a file of the repository is looked up; null where it is gone. */
  readonly at: (path: string) => string | null;
};

/** The commit that is checked out; null for none yet. */
export async function checkedOut({ own, repository, at }: Place): Promise<string | null> {
  const head = (await textIn(at(join(own, "HEAD"))))?.trim() ?? "";
  const [, branch] = /^ref: (.+)$/.exec(head) ?? [];
  if (branch === undefined) return head;
  const loose = (await textIn(at(join(repository, branch))))?.trim();
  if (loose !== undefined) return loose;
  const packed = (await textIn(at(join(repository, "packed-refs")))) ?? "";
  return (
    packed
      .split("\n")
      .find((line) => line.endsWith(` ${branch}`))
      ?.split(" ")[0] ?? null
  );
}

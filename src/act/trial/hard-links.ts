import type { BigIntStats } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { type Exchange, type SameFile, statusOf } from "./difference.ts";
import { draftName, holdFolder } from "./held-place.ts";

/**
 * Makes paths names of one file that became copies of each other, since a name came from an overlay beside a
 * file that stays, or from another disk. Says in words which of them stay copies.
 */
export async function linkAgain(files: readonly SameFile[]): Promise<readonly string[]> {
  const copies: string[] = [];
  for (const [first, ...others] of files) {
    for (const path of others) {
      const why = await linkOne(first, path);
      if (why !== null) copies.push(`${path} is a copy of ${first} and no hard link to it: ${why}.`);
    }
  }
  return copies;
}

/**
 * The files that exchanges replace while they have other names, which keep the earlier contents. A file all
 * of whose names are replaced is none.
 */
export async function findBrokenLinks(exchanges: readonly Exchange[]): Promise<readonly string[]> {
  const replaced: { readonly path: string; readonly file: string; readonly names: bigint }[] = [];
  for (const { path, was, becomes } of exchanges) {
    const status = was === "file" && becomes === "file" ? await statusOf(path) : null;
    if (status !== null && status.nlink > 1n)
      replaced.push({ path, file: `${status.dev} ${status.ino}`, names: status.nlink });
  }
  return [...Map.groupBy(replaced, ({ file }) => file).values()]
    .filter((paths) => paths.some(({ names }) => names > BigInt(paths.length)))
    .flatMap((paths) => paths.map(({ path }) => path));
}

/** Why a path is no name of a file; null where it is one, or where no file is at one of them. */
async function linkOne(first: string, path: string): Promise<string | null> {
  const [meant, made] = await Promise.all([statusOf(first), statusOf(path)]);
  if (meant?.isFile() !== true || made?.isFile() !== true) return null;
  if (meant.ino === made.ino && meant.dev === made.dev) return null;
  await using from = await holdFolder(dirname(first));
  await using to = await holdFolder(dirname(path));
  if (from === null || to === null) return "a folder above leads elsewhere";
  const draft = to.at(draftName(basename(path)));
  try {
    await link(bytesOfPath(from.at(basename(first)).path), bytesOfPath(draft.path));
    const linked = await statusOf(draft.path);
    if (linked === null || !isAlike(linked, await statusOf(to.at(basename(path)).path)))
      return "they differ in contents, time or rights";
    await rename(bytesOfPath(draft.path), bytesOfPath(to.at(basename(path)).path));
    return null;
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return `the file system says ${errorCode(fault)}`;
  } finally {
    await rm(bytesOfPath(draft.path), { force: true });
  }
}

function isAlike(one: BigIntStats, other: BigIntStats | null): boolean {
  return (["size", "mtimeNs", "mode", "uid", "gid"] as const).every((each) => one[each] === other?.[each]);
}

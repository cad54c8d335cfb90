import { type BigIntStats, constants } from "node:fs";
import { lchown, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { walkEntries } from "./fingerprint.ts";
import type { Exchanged } from "./given-modes.ts";
import { TooLarge } from "./measure.ts";
import { haveSameBytes } from "./same-bytes.ts";

/** Files, links and folders by their paths, each folder before what is in it. */
type Entries = ReadonlyMap<string, BigIntStats>;

/**
 * Gives what a command of root moved its owner and group again: in an overlay `mv` copies a folder, and the
 * sandbox lets it give no copy away. Gives the paths of what was moved so. Throws `TooLarge` where the
 * system does not let this process give a file to its owner.
 */
export async function giveOwnersOfMoved(
  exchanges: readonly Exchanged[],
  begun: bigint,
): Promise<readonly string[]> {
  if (process.geteuid?.() !== 0) return [];
  const gone = await entriesGone(exchanges);
  if ([...gone.values()].every(({ uid, gid }) => uid === 0n && gid === 0n)) return [];
  const made = await entriesMade(exchanges);
  const given: string[] = [];
  for (const [path, from] of await findMoved(made, gone, begun)) {
    const [now, old] = [made.get(path), gone.get(from)];
    if (now?.uid !== 0n || old === undefined || (now.uid === old.uid && now.gid === old.gid)) continue;
    await giveTo(path, old, from);
    given.push(path);
  }
  const isGiven = (incoming: string) =>
    given.some((each) => each === incoming || each.startsWith(`${incoming}/`));
  return exchanges.flatMap(({ path, incoming }) => (incoming !== null && isGiven(incoming) ? [path] : []));
}

/** What was there and is not any more: folders that went, and all else whose place is empty now. */
async function entriesGone(exchanges: readonly Exchanged[]): Promise<Entries> {
  const entries = new Map<string, BigIntStats>();
  for (const { path, was, incoming } of exchanges) {
    if (was === null) continue;
    for await (const { inside, status } of walkEntries(path)) {
      const place = status.isDirectory() || incoming === null ? null : join(incoming, inside);
      if (place === null || (await entryIfThere(place)) === null) entries.set(join(path, inside), status);
    }
  }
  return entries;
}

async function entriesMade(exchanges: readonly Exchanged[]): Promise<Entries> {
  const entries = new Map<string, BigIntStats>();
  for (const { incoming } of exchanges)
    if (incoming !== null)
      for await (const { inside, status } of walkEntries(incoming))
        entries.set(join(incoming, inside), status);
  return entries;
}

/**
 * From where each path was moved. A file is what was moved where it has its name, time and bytes. A folder is
 * what was moved where something in it was, and the command wrote all the rest of it itself: what is older
 * comes from elsewhere, such as an archive, and its folder is no other user's.
 */
async function findMoved(made: Entries, gone: Entries, begun: bigint): Promise<ReadonlyMap<string, string>> {
  const alike = Map.groupBy(gone.keys(), (path) => likenessOf(path, gone.get(path)));
  const origins = new Map<string, string>();
  const mixed = new Set<string>();
  for (const [path, status] of made) {
    if (status.isDirectory()) continue;
    const candidates = alike.get(likenessOf(path, status)) ?? [];
    const origin = await originOf({ path, status }, candidates, gone);
    if (origin !== null) origins.set(path, origin);
    else if (status.mtimeNs < begun)
      for (let folder = dirname(path); made.has(folder); folder = dirname(folder)) mixed.add(folder);
  }
  for (let [path, origin] of [...origins])
    for (;;) {
      [path, origin] = [dirname(path), dirname(origin)];
      if (mixed.has(path) || !made.has(path) || origins.has(path) || !gone.has(origin)) break;
      origins.set(path, origin);
    }
  for (const [path, status] of made) {
    const folder = origins.get(dirname(path));
    const origin = join(folder ?? "", basename(path));
    if (folder === undefined || !status.isDirectory() || mixed.has(path) || origins.has(path)) continue;
    if (gone.get(origin)?.isDirectory() === true) origins.set(path, origin);
  }
  return origins;
}

/** The first of some files or links that is the same; null for none, and where they are of several owners. */
async function originOf(
  { path, status }: { readonly path: string; readonly status: BigIntStats },
  candidates: readonly string[],
  gone: Entries,
): Promise<string | null> {
  const owners = candidates.map((each) => `${gone.get(each)?.uid} ${gone.get(each)?.gid}`);
  if (new Set(owners).size > 1) return null;
  for (const each of candidates) {
    if (status.isFile() && !(await haveSameBytes(path, each).catch(falseIfUnreadable))) continue;
    if (status.isSymbolicLink() && (await targetOf(path)) !== (await targetOf(each))) continue;
    return each;
  }
  return null;
}

/** Root of a container cannot read each file of users whom the container does not know. */
function falseIfUnreadable(fault: unknown): false {
  if (["EACCES", "EPERM"].includes(errorCode(fault))) return false;
  throw fault;
}

async function targetOf(path: string): Promise<string> {
  return (await readlink(bytesOfPath(path), "buffer")).toString("latin1");
}

function likenessOf(path: string, status: BigIntStats | undefined): string {
  return `${status && kindIn(status)} ${status?.mtimeNs} ${status?.size} ${basename(path)}`;
}

function kindIn({ mode }: BigIntStats): bigint {
  return mode & BigInt(constants.S_IFMT);
}

async function giveTo(path: string, { uid, gid }: BigIntStats, from: string): Promise<void> {
  try {
    await lchown(bytesOfPath(path), Number(uid), Number(gid));
  } catch (fault) {
    if (!["EPERM", "EINVAL"].includes(errorCode(fault))) throw fault;
    throw new TooLarge(`${from} belongs to another user, whose it cannot be again after it was moved`);
  }
}

import { type BigIntStats, constants } from "node:fs";
import { lchown } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { walkEntries } from "./fingerprint.ts";
import type { Exchanged } from "./given-modes.ts";
import { TooLarge } from "./measure.ts";

/** Files, links and folders by their paths, each folder before what is in it. */
type Entries = ReadonlyMap<string, BigIntStats>;

/**
 * Gives what a command of root moved its owner and group again: in an overlay `mv` copies a folder, and the
 * sandbox lets it give no copy away. Gives the paths of what was moved so. Throws `TooLarge` where the
 * system does not let this process give a file to its owner.
 */
export async function giveOwnersOfMoved(exchanges: readonly Exchanged[]): Promise<readonly string[]> {
  if (process.geteuid?.() !== 0) return [];
  const gone = await entriesBelow(exchanges.map(({ path, was }) => (was === null ? null : path)));
  if ([...gone.values()].every(({ uid, gid }) => uid === 0n && gid === 0n)) return [];
  const made = await entriesBelow(exchanges.map(({ incoming }) => incoming));
  const given: string[] = [];
  for (const [path, from] of findMoved(made, gone)) {
    const [now, old] = [made.get(path), gone.get(from)];
    if (now?.uid !== 0n || old === undefined || (now.uid === old.uid && now.gid === old.gid)) continue;
    await giveTo(path, old, from);
    given.push(path);
  }
  const isGiven = (incoming: string) =>
    given.some((each) => each === incoming || each.startsWith(`${incoming}/`));
  return exchanges.flatMap(({ path, incoming }) => (incoming !== null && isGiven(incoming) ? [path] : []));
}

async function entriesBelow(paths: readonly (string | null)[]): Promise<Entries> {
  const entries = new Map<string, BigIntStats>();
  for (const path of paths)
    if (path !== null)
      for await (const { inside, status } of walkEntries(path)) entries.set(join(path, inside), status);
  return entries;
}

/**
 * From where each path was moved. A move keeps times, which nothing that was made has. What was changed
 * after it lies beside what was moved with it.
 */
function findMoved(made: Entries, gone: Entries): ReadonlyMap<string, string> {
  const byTime = Map.groupBy(gone.keys(), (path) => timeOf(gone.get(path)));
  const origins = new Map<string, string>();
  for (const [path, status] of made) {
    const alike = byTime.get(timeOf(status)) ?? [];
    const origin = alike.find((each) => basename(each) === basename(path)) ?? alike[0];
    if (origin !== undefined) origins.set(path, origin);
  }
  for (let [path, origin] of [...origins])
    for (;;) {
      [path, origin] = [dirname(path), dirname(origin)];
      if (!made.has(path) || origins.has(path) || !gone.has(origin)) break;
      origins.set(path, origin);
    }
  for (const [path, status] of made) {
    const folder = origins.get(dirname(path));
    const origin = join(folder ?? "", basename(path));
    const old = origins.has(path) ? undefined : gone.get(origin);
    if (folder !== undefined && old !== undefined && kindIn(old) === kindIn(status))
      origins.set(path, origin);
  }
  return origins;
}

function timeOf(status: BigIntStats | undefined): string {
  if (status === undefined) return "";
  return `${kindIn(status)} ${status.mtimeNs} ${status.isFile() ? status.size : ""}`;
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

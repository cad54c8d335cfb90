import { randomUUID } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { chmod, chown, lstat, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { walkEntries } from "./fingerprint.ts";
import { draftName, type HeldPlace } from "./held-place.ts";

const setGroup = 0o2000n;

/** What a disk keeps of what a file is given. One of Windows gives all files one mode and one owner. */
export type KeptByDisk = { readonly modes: boolean; readonly owners: boolean };

export const allKept: KeptByDisk = { modes: true, owners: true };

/** Tries with a file beside a place what its disk keeps: modes, and the owner and group of an entry. */
export async function findKeptByDisk(
  place: HeldPlace,
  { uid, gid }: Pick<BigIntStats, "uid" | "gid">,
): Promise<KeptByDisk> {
  const probe = join(dirname(place.path), draftName(`probe-${randomUUID()}`));
  await writeFile(probe, "", { flag: "wx", mode: 0o600 });
  try {
    let modes = true;
    for (const mode of [0o640, 0o711]) {
      await chmod(probe, mode).catch(leaveRefused);
      modes &&= ((await lstat(probe)).mode & 0o7777) === mode;
    }
    await chown(probe, Number(uid), Number(gid)).catch(leaveRefused);
    const now = await lstat(probe, { bigint: true });
    return { modes, owners: now.uid === uid && now.gid === gid };
  } finally {
    await rm(probe, { force: true });
  }
}

function leaveRefused(fault: unknown): void {
  if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(errorCode(fault))) throw fault;
}

/**
 * Takes from folders of a copy the set-group-ID bit that they took over from the folder around them:
 * `cp -a` and `mv` of GNU leave it. Gives the first path inside whose kind or size, or whose mode, owner or
 * group as far as the disk keeps these, is not as in what was copied; null where all is.
 */
export async function completeCopy(
  from: string,
  copy: string,
  kept: KeptByDisk = allKept,
): Promise<string | null> {
  for await (const { inside, status } of walkEntries(from)) {
    const place = bytesOfPath(join(copy, inside));
    const made = await lstat(place, { bigint: true });
    const mode = withoutTakenOver(made, status.mode);
    if (mode !== null) await chmod(place, mode);
    const now = mode === null ? made : await lstat(place, { bigint: true });
    if (!isLike(now, status, kept)) return inside;
  }
  return null;
}

const kindBits = BigInt(constants.S_IFMT);

/** Whether an entry is like another, as far as that is seen without reading it. */
export function isLike(
  made: BigIntStats,
  meant: BigIntStats,
  { modes, owners }: KeptByDisk = allKept,
): boolean {
  const differing = made.mode ^ meant.mode;
  if ((modes ? differing : differing & kindBits) !== 0n) return false;
  if (owners && (made.uid !== meant.uid || made.gid !== meant.gid)) return false;
  return !made.isFile() || made.size === meant.size;
}

/**
 * The mode for a folder that has the bit, and no other one, beyond what it should have; null for any other.
 */
function withoutTakenOver(made: BigIntStats, meant: bigint): number | null {
  return made.isDirectory() && made.mode === (meant | setGroup) && made.mode !== meant
    ? Number(meant & 0o7777n)
    : null;
}

/** What a command put in the place of what was at a path. */
export type Exchanged = {
  readonly path: string;
  readonly was: string | null;
  readonly incoming: string | null;
  readonly becomes: string | null;
};

/**
 * Gives folders that a command moved their modes: in an overlay `mv` copies them, and such a copy takes over
 * the set-group-ID bit. What was moved is known by its time, which no folder that was made has.
 */
export async function giveModesOfMoved(exchanges: readonly Exchanged[]): Promise<void> {
  const made: { readonly path: string; readonly status: BigIntStats }[] = [];
  for (const { incoming } of exchanges)
    for await (const each of foldersBelow(incoming))
      if ((each.status.mode & setGroup) !== 0n) made.push(each);
  if (made.length === 0) return;
  const gone = new Map<bigint, BigIntStats>();
  for (const { path, was, becomes } of exchanges)
    if (was === "folder" && becomes !== "folder")
      for await (const { status } of foldersBelow(path)) gone.set(status.mtimeNs, status);
  for (const { path, status } of made) {
    const mode = withoutTakenOver(status, gone.get(status.mtimeNs)?.mode ?? status.mode);
    if (mode !== null) await chmod(bytesOfPath(path), mode);
  }
}

async function* foldersBelow(path: string | null) {
  if (path === null) return;
  for await (const { inside, status } of walkEntries(path))
    if (status.isDirectory()) yield { path: join(path, inside), status };
}

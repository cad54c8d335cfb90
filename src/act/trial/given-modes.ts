import type { BigIntStats } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { walkEntries } from "./fingerprint.ts";

const setGroup = 0o2000n;

/**
 * Takes from folders of a copy the set-group-ID bit that they took over from the folder around them:
 * `cp -a` and `mv` of GNU leave it. Gives the first path inside whose mode, owner, group or size is not as in
 * what was copied; null where all is.
 */
export async function completeCopy(from: string, copy: string): Promise<string | null> {
  for await (const { inside, status } of walkEntries(from)) {
    const place = bytesOfPath(join(copy, inside));
    const made = await lstat(place, { bigint: true });
    const mode = withoutTakenOver(made, status.mode);
    if (mode !== null) await chmod(place, mode);
    const now = mode === null ? made : await lstat(place, { bigint: true });
    if (!isLike(now, status)) return inside;
  }
  return null;
}

/** Whether an entry is like another, as far as that is seen without reading it. */
function isLike(made: BigIntStats, meant: BigIntStats): boolean {
  const isSame = made.mode === meant.mode && made.uid === meant.uid && made.gid === meant.gid;
  return isSame && (!made.isFile() || made.size === meant.size);
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
type Exchanged = {
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

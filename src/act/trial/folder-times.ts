import type { BigIntStats } from "node:fs";

/** Another time of a folder that stays, in seconds. */
export type TimeChange = { readonly path: string; readonly was: number; readonly time: number };

const second = 1_000_000_000n;

/**
 * The time that a command gave a folder: one from before the command, or ahead. A time in between is what
 * each name that comes or goes gives its folder. Null where there is none, and where somebody else changed
 * the folder meanwhile.
 */
export function givenTime(
  path: string,
  { old, now, begun }: { readonly old: BigIntStats; readonly now: BigIntStats; readonly begun: bigint },
): TimeChange | null {
  const given = now.mtimeNs;
  const isLike = given > old.mtimeNs - second && given < old.mtimeNs + second;
  const isUsual = given >= begun && given < BigInt(Date.now() + 1_000) * 1_000_000n;
  if (isLike || isUsual || old.ctimeNs > begun) return null;
  return { path, was: inSeconds(old), time: inSeconds(now) };
}

/** The time of an entry in seconds, as precise as a set keeps it. */
export function inSeconds({ mtimeNs }: BigIntStats): number {
  return Number(mtimeNs) / 1e9;
}

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isRunning } from "../../machine/is-running.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { namesIn, statusOf } from "./difference.ts";
import { unfinishedSet } from "./set-files.ts";

/** Sets that are kept, and bytes in them, at most. */
export const setLimits = { sets: 1_000, bytes: 4_000_000_000 };

/**
 * The part of the limits that stays in use once room was made, so that not every command has to ask for
 * room.
 */
const usedAfterwards = 15 / 16;

/** A set of a folder of sets, with the bytes in it. */
export type MeasuredSet = { readonly set: string; readonly at: number; readonly bytes: number };

/** Removes overlays that a killed process left, and measures the sets. Called while no command runs. */
export async function measureSets(folder: string): Promise<readonly MeasuredSet[]> {
  const names = await namesIfThere(folder);
  const sets: MeasuredSet[] = [];
  for (const name of names.filter((each) => unfinishedSet(each) === null)) {
    const path = join(folder, name);
    if (isLeftover(name)) await removeTree(path);
    else if (!isOverlay(name)) sets.push(await measureSet(path));
  }
  return sets;
}

/** Measures one set. */
export async function measureSet(path: string): Promise<MeasuredSet> {
  return { set: basename(path), at: (await stat(path)).mtimeMs, bytes: await bytesIn(path) };
}

/**
 * The sets that would be dropped where the limits are reached: those that no undo needs first, then the
 * oldest. Empty while there is room.
 */
export function setsToDrop(
  sets: readonly MeasuredSet[],
  isNeeded: (set: string) => boolean,
  most = setLimits,
): readonly string[] {
  let [count, bytes] = [sets.length, sets.reduce((sum, set) => sum + set.bytes, 0)];
  if (count < most.sets && bytes < most.bytes) return [];
  const order = sets.toSorted(
    (left, right) => Number(isNeeded(left.set)) - Number(isNeeded(right.set)) || left.at - right.at,
  );
  const dropped: string[] = [];
  for (const set of order) {
    if (count <= most.sets * usedAfterwards && bytes <= most.bytes * usedAfterwards) break;
    dropped.push(set.set);
    [count, bytes] = [count - 1, bytes - set.bytes];
  }
  return dropped;
}

function isOverlay(name: string): boolean {
  return name.startsWith("overlay-") || name.startsWith("probe-");
}

/** Whether a name is that of a draft, or of an overlay or a probe whose process is gone. */
function isLeftover(name: string): boolean {
  const owner = /^(?:overlay|probe)-(?:(\d+)-)?/.exec(name);
  return owner === null ? name.endsWith(".new") : owner[1] === undefined || !isRunning(Number(owner[1]));
}

async function bytesIn(path: string): Promise<number> {
  let bytes = 0;
  const paths = [path];
  for (const each of paths) {
    const status = await statusOf(each);
    if (status?.isFile() === true) bytes += Number(status.blocks) * 512;
    if (status?.isDirectory() === true) for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
  }
  return bytes;
}

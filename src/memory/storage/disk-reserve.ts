import { randomFillSync } from "node:crypto";
import { closeSync, openSync, type StatsFs, statfsSync, statSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { explainFault, StateProblem } from "./state-problem.ts";

/** A file that holds space on a disk, so that what was begun can be ended, and the owner's commands work, when nothing else is left. */
export type DiskReserve = {
  /** Frees a part of the reserve for a write that found no room, a larger one after each try in vain. False where nothing is left to free. */
  readonly release: (tries: number) => boolean;
  /**
   * Frees as much of the reserve as so many bytes, and noting them, need. False where there is no room all
   * the same.
   */
  readonly makeRoom: (bytes: number) => boolean;
  /** Says that there is no room for new work beside the whole reserve; null where there is. */
  readonly findLack: () => string | null;
  /** Throws `full-disk` where there is such a lack. */
  readonly requireRoom: () => void;
  /** Makes the reserve whole again where there is room for it; false where nothing was lacking, or there is none. */
  readonly refill: () => boolean;
};

/** Free bytes that new work may need, and bytes of a whole reserve; a sixteenth of the disk where that is less. */
const mostNeeded = 1_048_576;
const mostReserved = 8_388_608;
const shareOfDisk = 1 / 16;
/** Bytes that are freed at first. They are few: whatever filled the disk may take them. */
const part = 65_536;

type DiskStatus = Pick<StatsFs, "bavail" | "blocks" | "bsize">;
type StatDisk = (folder: string) => DiskStatus;

/** The reserve in a file, which is made by the first refill. Where the size of the disk is not known, there is always room. */
export function openDiskReserve(file: string, statDisk: StatDisk = statfsSync): DiskReserve {
  const folder = dirname(file);
  const release = (tries: number): boolean => {
    const size = sizeOf(file);
    if (size > 0) truncateSync(file, Math.max(0, size - part * 2 ** tries));
    return size > 0;
  };
  const findLack = (): string | null => {
    const { free, needed, whole } = measure(statDisk(folder));
    const missing = needed + whole - sizeOf(file) - free;
    if (missing <= 0) return null;
    return `No room is left on the disk of ${folder}, so nothing new is begun. /status, /undo, /approve and /deny still work. Free ${Math.ceil(missing / 1024)} kB or more, then try again.`;
  };
  return {
    release,
    makeRoom(bytes) {
      const lacks = () => measure(statDisk(folder)).free < bytes + part;
      for (let tries = 0; lacks() && release(tries); ) tries += 1;
      return !lacks();
    },
    findLack,
    requireRoom() {
      const lack = findLack();
      if (lack !== null) throw new StateProblem("full-disk", lack);
    },
    refill() {
      const { whole } = measure(statDisk(folder));
      const lacks = sizeOf(file) < whole && findLack() === null;
      if (lacks) fill(file, whole);
      return lacks;
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Bytes of a disk that are free for this user, that new work needs, and that a whole reserve has. */
function measure({
  bavail,
  blocks,
  bsize,
}: DiskStatus): Readonly<Record<"free" | "needed" | "whole", number>> {
  // Some network file systems tell no size.
  if (blocks === 0) return { free: Number.POSITIVE_INFINITY, needed: 0, whole: 0 };
  const share = Math.floor(blocks * bsize * shareOfDisk);
  return { free: bavail * bsize, needed: Math.min(mostNeeded, share), whole: Math.min(mostReserved, share) };
}

/** Adds random bytes, since a file system may compress others. Where the disk fills up meanwhile, the reserve stays as large as it is. */
function fill(file: string, whole: number): void {
  const bytes = randomFillSync(Buffer.allocUnsafe(part * 8));
  const descriptor = openSync(file, "a", 0o600);
  try {
    for (let at = sizeOf(file); at < whole; ) {
      at += writeSync(descriptor, bytes, 0, Math.min(bytes.length, whole - at));
    }
  } catch (error) {
    if (!(explainFault(error, file) instanceof StateProblem)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

import { randomFillSync } from "node:crypto";
import { type StatsFs, statSync, truncateSync } from "node:fs";
import { open, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { shareRuns } from "./share-runs.ts";
import { explainFault, StateProblem } from "./state-problem.ts";

/** A file that holds space on a disk, so that what was begun can be ended, and the owner's commands work, when nothing else is left. */
export type DiskReserve = {
  /** Frees a part of the reserve for a write that found no room, a larger one after each try in vain. False where nothing is left to free. */
  readonly release: (tries: number) => boolean;
  /**
   * Frees as much of the reserve as so many bytes, and noting them, need. False where there is no room all
   * the same.
   */
  readonly makeRoom: (bytes: number) => Promise<boolean>;
  /** Says that there is no room for new work beside the whole reserve; null where there is. */
  readonly findLack: () => Promise<string | null>;
  /** Throws `full-disk` where there is such a lack. */
  readonly requireRoom: () => Promise<void>;
  /** Makes the reserve whole again where there is room for it; false where nothing was lacking, or there is none. */
  readonly refill: () => Promise<boolean>;
};

/** Free bytes that new work may need, and bytes of a whole reserve; a sixteenth of the disk where that is less. */
const mostNeeded = 1_048_576;
const mostReserved = 8_388_608;
const shareOfDisk = 1 / 16;
/** Bytes that are freed at first. They are few: whatever filled the disk may take them. */
const part = 65_536;

type DiskStatus = Pick<StatsFs, "bavail" | "blocks" | "bsize">;
type StatDisk = (folder: string) => Promise<DiskStatus>;

/** The reserve in a file, which is made by the first refill. Where the size of the disk is not known, there is always room. */
export function openDiskReserve(file: string, statDisk: StatDisk = statfs): DiskReserve {
  const folder = dirname(file);
  const release = (tries: number): boolean => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0) truncateSync(file, Math.max(0, size - part * 2 ** tries));
    return size > 0;
  };
  const findLack = shareRuns(async () => {
    const [size, disk] = await Promise.all([sizeOf(file), statDisk(folder)]);
    const { free, needed, whole } = measure(disk);
    const missing = needed + whole - size - free;
    if (missing <= 0) return null;
    return `No room is left on the disk of ${folder}, so nothing new is begun. /status, /undo, /approve and /deny still work. Free ${Math.ceil(missing / 1024)} kB or more, then try again.`;
  });
  return {
    release,
    async makeRoom(bytes) {
      const hasRoom = async () => measure(await statDisk(folder)).free >= bytes + part;
      for (let tries = 0; ; tries += 1) {
        if (await hasRoom()) return true;
        if (!release(tries)) return false;
      }
    },
    findLack,
    async requireRoom() {
      const lack = await findLack();
      if (lack !== null) throw new StateProblem("full-disk", lack);
    },
    async refill() {
      const { whole } = measure(await statDisk(folder));
      const lacks = (await sizeOf(file)) < whole && (await findLack()) === null;
      if (lacks) await fill(file, whole);
      return lacks;
    },
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
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
async function fill(file: string, whole: number): Promise<void> {
  const bytes = randomFillSync(Buffer.allocUnsafe(part * 8));
  await using handle = await open(file, "a", 0o600);
  try {
    for (let { size: at } = await handle.stat(); at < whole; ) {
      at += (await handle.write(bytes, 0, Math.min(bytes.length, whole - at))).bytesWritten;
    }
  } catch (error) {
    if (!(explainFault(error, file) instanceof StateProblem)) throw error;
  }
}

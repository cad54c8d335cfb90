import { stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../files/fallible.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { namesIn, statusOf } from "./difference.ts";
import { unfinishedSet } from "./set-files.ts";

/** Sets that are kept, and bytes in them, at most. The oldest go first. */
const limits = { sets: 1_000, bytes: 4_000_000_000 };

/** Removes the oldest sets beyond the limits, and overlays that a killed process left. Called while no command runs and no set is under way. */
export async function pruneSets(folder: string, most = limits): Promise<void> {
  const names = await namesIfThere(folder);
  const sets: { path: string; at: number; bytes: number }[] = [];
  for (const name of names.filter((each) => unfinishedSet(each) === null)) {
    const path = join(folder, name);
    if (isLeftover(name)) await removeTree(path);
    else if (!isOverlay(name))
      sets.push({ path, at: (await stat(path)).mtimeMs, bytes: await bytesIn(path) });
  }
  sets.sort((left, right) => right.at - left.at);
  let bytes = 0;
  for (const [index, set] of sets.entries()) {
    bytes += set.bytes;
    if (index >= most.sets || bytes > most.bytes) await removeTree(set.path);
  }
}

function isOverlay(name: string): boolean {
  return name.startsWith("overlay-") || name.startsWith("probe-");
}

/** Whether a name is that of a draft, or of an overlay or a probe whose process is gone. */
function isLeftover(name: string): boolean {
  const owner = /^(?:overlay|probe)-(?:(\d+)-)?/.exec(name);
  return owner === null ? name.endsWith(".new") : owner[1] === undefined || !isRunning(Number(owner[1]));
}

/** Whether a process runs, be it of another user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return errorCode(fault) !== "ESRCH";
  }
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

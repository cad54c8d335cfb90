import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../sandbox/overlay.ts";
import { namesIn, statusOf } from "./difference.ts";
import { unfinishedSet } from "./set-files.ts";

/** Sets that are kept, and bytes in them, at most. The oldest go first. */
const limits = { sets: 1_000, bytes: 4_000_000_000 };

/** Removes the oldest sets beyond the limits, and overlays that a killed process left. Called while no command runs and no set is under way. */
export async function pruneSets(folder: string, most = limits): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const sets: { path: string; at: number; bytes: number }[] = [];
  for (const name of names.filter((each) => unfinishedSet(each) === null)) {
    const path = join(folder, name);
    if (isLeftover(name)) await removeTree(path);
    else sets.push({ path, at: (await stat(path)).mtimeMs, bytes: await bytesIn(path) });
  }
  sets.sort((left, right) => right.at - left.at);
  let bytes = 0;
  for (const [index, set] of sets.entries()) {
    bytes += set.bytes;
    if (index >= most.sets || bytes > most.bytes) await removeTree(set.path);
  }
}

/** Whether a name is that of an overlay, a probe or a draft that nothing uses any more. */
function isLeftover(name: string): boolean {
  return name.startsWith("overlay-") || name.startsWith("probe-") || name.endsWith(".new");
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

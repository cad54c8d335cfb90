import { link, unlink } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import { runSystemProgram } from "./overlay.ts";

/**
 * Marks paths in a layer of an overlay as deleted. The marks are names of one file, as those of overlayfs
 * itself are; it is made at `mark`, on the disk of the layer. False where that disk has no such marks.
 */
export async function markDeleted(paths: readonly string[], mark: string): Promise<boolean> {
  if ((await runSystemProgram(["/usr/bin/mknod", mark, "c", "0", "0"])).code !== 0) return false;
  for (const path of paths) await link(mark, bytesOfPath(path));
  await unlink(mark);
  return true;
}

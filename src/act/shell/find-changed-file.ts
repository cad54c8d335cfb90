import { identify } from "../files/identify.ts";
import { inBatches } from "./in-batches.ts";
import { isStampOfCode, stampOfCode } from "./loaded-code.ts";
import type { NamedFile } from "./named-files.ts";

/** The path of a file or folder that is no longer as it was found; null if all are. */
export async function findChangedFile(files: readonly NamedFile[]): Promise<string | null> {
  const there = files.filter(({ path }) => path !== "");
  const changed = inBatches(there, async ({ path, stamp }) => {
    if (isStampOfCode(stamp)) return (await stampOfCode(path)) === stamp ? null : `code in ${path}`;
    const now = await identify(path, { mayRead: stamp.startsWith("sha256 ") });
    return now?.stamp === stamp ? null : path;
  });
  for await (const path of changed) if (path !== null) return path;
  return null;
}

import { identify } from "../files/identify.ts";
import { realPath } from "../files/real-path.ts";
import { inBatches } from "./in-batches.ts";
import { isStampOfCode, isStampOfPrograms, stampOfCode } from "./loaded-code.ts";
import type { NamedFile } from "./named-files.ts";
import type { PlannedCommand } from "./plan.ts";

/**
 * The path of a file or folder that is no longer as it was found; null if all are. `programs`: the declared
 * programs as they are now.
 */
export async function findChangedFile(
  files: readonly NamedFile[],
  programs: readonly NamedFile[],
): Promise<string | null> {
  const there = files.filter(({ path }) => path !== "");
  const changed = inBatches(there, async ({ path, stamp }) => {
    if (isStampOfPrograms(stamp))
      return programs.some((now) => now.path === path && now.stamp === stamp) ? null : `code in ${path}`;
    if (isStampOfCode(stamp)) return (await stampOfCode(path)) === stamp ? null : `code in ${path}`;
    const now = await identify(path, { mayRead: stamp.startsWith("sha256 ") });
    return now?.stamp === stamp ? null : path;
  });
  for await (const path of changed) if (path !== null) return path;
  return null;
}

/** Finds a path that leads elsewhere than when it was judged: a link may have changed. */
export async function findMovedPath(
  commands: readonly Pick<PlannedCommand, "reads">[],
): Promise<string | null> {
  for (const { reads } of commands) {
    for (const use of reads) {
      const now = await realPath("/", use.written).catch(() => null);
      if (now !== use.path) return use.written;
    }
  }
  return null;
}

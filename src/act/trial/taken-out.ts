import { basename, join } from "node:path";
import { entryIfThere } from "../files/status-if-there.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { type Exchange, findDifference } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { withinSize } from "./measure.ts";

/** A file that a command left in a folder of the sandbox itself, which is gone with it. */
export type LeftFile = {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When its contents changed, as the file system says it. */
  readonly seconds: string;
  /** When it was last changed in any way and when it was read, in seconds. */
  readonly changed: number;
  readonly read: number;
};

/**
 * What a line was to put into a folder of the sandbox, by its words, and whether these name a path of the
 * workspace.
 */
export type MeantFiles = {
  readonly files: readonly LeftFile[];
  readonly isNamed: (path: string) => boolean;
};

/**
 * The files that a line deleted in its overlay and that lay, at its end, in a folder of the sandbox itself:
 * it moved them there by whatever program, and they are gone with the sandbox. What moves keeps its size and
 * its time or name. A file of that size that the line made in the workspace may be the moved one. Where the
 * line deleted something that it names, what it was to put there may hold that, and is lost as well.
 */
export async function takenOut(
  overlay: Overlay,
  left: readonly LeftFile[],
  { files, isNamed }: MeantFiles,
): Promise<readonly LeftFile[]> {
  if (left.length === 0) return [];
  const found = await withinSize(() => findDifference(overlay));
  if (!found.ok) return [];
  const made = new Set<number>();
  const lost = new Set<LeftFile>();
  for (const { incoming } of found.value.exchanges)
    if (incoming !== null)
      for await (const { status } of walkEntries(incoming))
        if (status.isFile()) made.add(Number(status.size));
  for (const exchange of found.value.exchanges)
    if (exchange.was !== null)
      for await (const { path, size, time } of deletedBy(exchange)) {
        const isLike = (file: LeftFile): boolean =>
          file.size === size && (file.seconds.startsWith(time) || basename(file.path) === basename(path));
        const taken = made.has(size) ? undefined : left.find(isLike);
        if (taken !== undefined) lost.add(taken);
        if (isNamed(path)) for (const file of files) lost.add(file);
      }
  return [...lost];
}

type Deleted = { readonly path: string; readonly size: number; readonly time: string };

async function* deletedBy({ path, incoming }: Exchange): AsyncGenerator<Deleted> {
  for await (const { inside, status } of walkEntries(path)) {
    if (!status.isFile()) continue;
    if (incoming !== null && (await entryIfThere(join(incoming, inside))) !== null) continue;
    const nanoseconds = String(status.mtimeNs).padStart(10, "0");
    const time = `${nanoseconds.slice(0, -9)}.${nanoseconds.slice(-9)}`;
    yield { path: join(path, inside), size: Number(status.size), time };
  }
}

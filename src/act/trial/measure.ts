import type { BigIntStats } from "node:fs";
import { chmod } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { greatest } from "../../text/lists.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { walkEntries } from "./fingerprint.ts";

/** Thrown where what a command changed is too much to be looked through. The message says what, as the end of a sentence. */
export class TooLarge extends Error {}

/** A value, or why there is none. */
export type Sized<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** Does what throws `TooLarge`, and says in words that it did. */
export async function withinSize<Value>(act: () => Promise<Value>): Promise<Sized<Value>> {
  try {
    return { ok: true, value: await act() };
  } catch (fault) {
    if (!(fault instanceof TooLarge)) throw fault;
    const message = `What the command changed is too much to be looked through: ${fault.message}. Nothing of it was kept. Let it do less at once, or outside the workspace.`;
    return { ok: false, error: { code: "too-large", message } };
  }
}

/** What a trial may leave: files and folders, and their bytes. A sparse file counts as a whole, since it is read as a whole. */
export const trialSize = { entries: 250_000, bytes: 8_000_000_000 };

/** Bytes. A name more, and the kernel takes the path no more. */
const longestPath = 3_800;

/** What is known of a command's changes before they are compared, by paths in the folder. */
type Measured = {
  /** The paths of each file with several names. */
  readonly linked: readonly (readonly string[])[];
  /** The permissions of files that would run with the rights of their owner or group. */
  readonly privileged: ReadonlyMap<string, number>;
};

/**
 * Looks at all that a command left in an overlay, before it is compared: opens to its owner what was closed,
 * so that it can be read, and notes that in the overlay. Throws `TooLarge`.
 */
export async function measureChanges(overlay: Overlay, most: typeof trialSize): Promise<Measured> {
  const { upper, folder } = overlay;
  const closed = new Map<string, number>();
  const privileged = new Map<string, number>();
  const linked = new Map<bigint, string[]>();
  let [entries, bytes] = [0, 0n];
  const longest = greatest([upper, folder].map((path) => Buffer.byteLength(path)));
  for await (const { inside, status } of walkEntries(upper)) {
    const path = join(folder, inside);
    const mode = Number(status.mode) & 0o7777;
    if (status.isFile() && (mode & 0o6000) !== 0) privileged.set(path, mode);
    const lacking = lackingBits(mode, status);
    // What was opened by an earlier look still has these permissions, unless it got others since.
    const given = lacking === 0 ? overlay.closed.get(path) : mode;
    if (given !== undefined && (given | lackingBits(given, status)) === (mode | lacking))
      closed.set(path, given);
    if (lacking !== 0) {
      await using parent = await overlay.openFolder(inside === "" ? path : dirname(path));
      const place = inside === "" ? parent.at() : parent.at(basename(path));
      await chmod(bytesOfPath(place), mode | lacking);
    }
    entries += 1;
    if (status.isFile()) bytes += status.size;
    if (status.isFile() && status.nlink > 1n) {
      const names = linked.get(status.ino) ?? [];
      names.push(path);
      linked.set(status.ino, names);
    }
    if (entries > most.entries) throw new TooLarge(`it has more than ${most.entries} files and folders`);
    if (bytes > most.bytes) throw new TooLarge(`its files have more than ${most.bytes} bytes`);
    if (longest + Buffer.byteLength(inside) > longestPath)
      throw new TooLarge(`it has a path of more than ${longestPath} bytes`);
  }
  overlay.closed.clear();
  for (const [path, mode] of closed) overlay.closed.set(path, mode);
  return { linked: [...linked.values()].filter((paths) => paths.length > 1), privileged };
}

/** The permissions of its owner that a file or folder with this mode lacks for being read. */
function lackingBits(mode: number, status: BigIntStats): number {
  const needed = status.isDirectory() ? 0o500 : status.isFile() ? 0o400 : 0;
  return needed & ~mode;
}

import { lstat } from "node:fs/promises";
import { readOpenFile } from "./contents.ts";
import { catchFileErrors, done, type Fallible, problem } from "./fallible.ts";
import { openRegularFile } from "./open-file.ts";

/** A file as it is at one moment: another file, or one that was changed, has another stamp. */
export type FileStamp = {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
};

type Stat = {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
};

/** Stamps the regular file at a real path, without opening it. */
export function stampFile(path: string): Promise<Fallible<FileStamp>> {
  return catchFileErrors(path, async () => {
    const found = await lstat(path, { bigint: true });
    if (found.isDirectory()) return problem("is-a-folder", `${path} is a folder. Name a file in it.`);
    if (!found.isFile())
      return problem("special-file", `${path} is a device, pipe or socket, not a file. Nothing was read.`);
    return done(stampOf(found));
  });
}

/** Reads the whole of a file that still has its stamp when it was read; any other is refused. */
export function readStamped(
  path: string,
  stamp: FileStamp,
): Promise<Fallible<{ readonly bytes: Uint8Array; readonly digest: string }>> {
  return catchFileErrors(path, async () => {
    const opened = await openRegularFile(path, stamp);
    if (!opened.ok) return opened;
    await using handle = opened.value;
    const read = await readOpenFile(handle, path, Number(stamp.size));
    if (!read.ok) return read.code === "too-large" ? changedMeanwhile(path) : read;
    const now = stampOf(await handle.stat({ bigint: true }));
    return isSame(stamp, now) ? done(read.value) : changedMeanwhile(path);
  });
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: Stat): FileStamp {
  return { device: dev, inode: ino, size, modified: mtimeNs, changed: ctimeNs };
}

function isSame(one: FileStamp, other: FileStamp): boolean {
  return (
    one.inode === other.inode &&
    one.device === other.device &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed
  );
}

function changedMeanwhile(path: string) {
  return problem("changed", `${path} changed while it was read. Nothing was kept; do it again.`);
}

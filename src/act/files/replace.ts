import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describeLock, lockPathOf, readLock } from "../../memory/notes/locks/lock-file.ts";
import { type FileContents, readWholeFile } from "./contents.ts";
import { type ActProblem, catchFileErrors, done, errorCode, type Fallible, problem } from "./fallible.ts";
import { type FolderHandle, openFolder } from "./open-file.ts";

/** Keeps the contents of a file (null if there was none) for undo; returns the id of the copy. `drops` are the older copies that may be dropped for it. */
export type KeepPreImage = (
  path: string,
  bytes: Uint8Array | null,
  mode: number | null,
  drops?: readonly string[],
) => Promise<string>;

/** An older copy of a file that an undo may need, and the files whose changes it would undo. */
export type DroppedCopy = { readonly id: string; readonly paths: readonly string[] };

/** The older copies that would have to be dropped to keep these contents of a file; empty while there is room. */
export type PlanPreImage = (
  path: string,
  bytes: Uint8Array | null,
  session: string,
) => Promise<readonly DroppedCopy[]>;

/** One change of one file. `path` is real; `before` is the judged digest; null `bytes` delete the file. */
export type FileReplacement = {
  readonly path: string;
  readonly before: string | null;
  readonly bytes: Uint8Array | null;
  /** The mode of a new file; null leaves it to the umask. An existing file keeps its mode. */
  readonly mode: number | null;
  readonly keepPreImage: KeepPreImage;
};

/**
 * Changes a file as a whole or not at all. The pre-image is kept first and the new bytes are forced to disk beside the old file;
 * then the digest and the editor's lock are checked once more, and one rename makes the change. Missing folders are created.
 * Mode and owner stay, and extended attributes where the system supports them.
 */
export async function replaceFile(change: FileReplacement): Promise<Fallible<null>> {
  return await catchFileErrors(change.path, async () => {
    const opened = await openParent(dirname(change.path), change.bytes !== null && change.before === null);
    if (!opened.ok) return opened;
    await using folder = opened.value;
    const current = await currentOf(change, folder);
    if (!current.ok) return current;
    await change.keepPreImage(change.path, current.value?.bytes ?? null, current.value?.mode ?? null);
    return change.bytes === null
      ? await removeChecked(change, folder)
      : await swapIn({ change, folder, current: current.value, bytes: change.bytes });
  });
}

/** Why a file may not be written now, where an editor holds it; null where none does. `via` is another path to the same file. */
export async function checkEditorLock(path: string, via = path): Promise<ActProblem | null> {
  const lock = await readLock(lockPathOf(via));
  if (lock === null) return null;
  return problem(
    "locked",
    `${path}: ${describeLock(path, lock)}, so nothing was written. Save or revert it there, and try again.`,
  );
}

const draftName = /^\.passepartout-[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/;

/** Removes from a folder the partial writes of a killed process. A folder that cannot be read has nothing to remove. */
export async function removeDrafts(folder: string): Promise<void> {
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isFile() && draftName.test(entry.name)) await rm(join(folder, entry.name), { force: true });
    }
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS"].includes(errorCode(error))) throw error;
  }
}

async function openParent(path: string, create: boolean): Promise<Fallible<FolderHandle>> {
  try {
    return await openFolder(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || !create || path === "/") throw error;
  }
  const above = await openParent(dirname(path), true);
  if (!above.ok) return above;
  await using parent = above.value;
  const here = parent.inside(basename(path));
  try {
    await mkdir(here);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  await parent.flush();
  return await openFolder(path, here);
}

async function currentOf(
  change: FileReplacement,
  folder: FolderHandle,
): Promise<Fallible<FileContents | null>> {
  const here = folder.inside(basename(change.path));
  const held = await checkEditorLock(change.path, here);
  if (held !== null) return held;
  const current = await readWholeFile(change.path, undefined, here);
  if (!current.ok || (current.value?.digest ?? null) === change.before) return current;
  return problem(
    "conflict",
    `${change.path}: the file changed after this was judged, so nothing was written. Read it again and propose a new change.`,
  );
}

async function removeChecked(change: FileReplacement, folder: FolderHandle): Promise<Fallible<null>> {
  const current = await currentOf(change, folder);
  if (!current.ok) return current;
  if (current.value !== null) await unlink(folder.inside(basename(change.path)));
  await folder.flush();
  return done(null);
}

type Swap = {
  readonly change: FileReplacement;
  readonly folder: FolderHandle;
  readonly current: FileContents | null;
  readonly bytes: Uint8Array;
};

async function swapIn(swap: Swap): Promise<Fallible<null>> {
  const draft = swap.folder.inside(`.passepartout-${randomUUID()}.tmp`);
  try {
    await writeDraft(draft, swap);
    const current = await currentOf(swap.change, swap.folder);
    if (!current.ok) return current;
    const target = swap.folder.inside(basename(swap.change.path));
    const moved =
      swap.current === null
        ? await placeNew(draft, target, swap.change.path)
        : done(await rename(draft, target));
    if (!moved.ok) return moved;
    await swap.folder.flush();
    return done(null);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, { change, folder, current, bytes }: Swap): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const mode = current?.mode ?? change.mode;
  await using handle = await open(draft, flags, mode === null ? 0o666 : 0o600);
  await handle.writeFile(bytes);
  if (current !== null) {
    await copyAttributes(folder.inside(basename(change.path)), handle);
    const made = await handle.stat();
    if (made.uid !== current.owner || made.gid !== current.group)
      await handle.chown(current.owner, current.group);
  }
  if (mode !== null) await handle.chmod(mode);
  await handle.sync();
}

/**
 * Copies extended attributes and access lists with the system's own `cp`, because Node cannot. If `cp` fails, the file has none.
 * It writes to the open draft, whatever is at the draft's name by then.
 */
async function copyAttributes(from: string, to: FileHandle): Promise<void> {
  if (process.platform !== "linux") return;
  const own = `/proc/${process.pid}`;
  const paths = [from.replace(/^\/proc\/self(?=\/)/, own), `${own}/fd/${to.fd}`];
  const options = { env: { PATH: "/usr/bin:/bin" }, timeout: 2000 };
  await new Promise<void>((resolve) => {
    execFile("cp", ["--attributes-only", "--preserve=mode,xattr", "--", ...paths], options, () => resolve());
  });
}

async function placeNew(draft: string, target: string, path: string): Promise<Fallible<void>> {
  try {
    await link(draft, target);
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      return problem(
        "conflict",
        `${path}: a file of this name appeared after this was judged, so nothing was written. Read it and propose a new change.`,
      );
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error))) throw error;
    await rename(draft, target);
  }
  return done(undefined);
}

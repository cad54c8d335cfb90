import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readWholeFile } from "./contents.ts";
import { type ActProblem, catchFileErrors, done, errorCode, type Fallible, problem } from "./fallible.ts";
import { lockFolder } from "./folder-lock.ts";
import { describeLock, lockPathOf, readLock } from "./locks/lock-file.ts";
import { mergeVersions, sameBytes } from "./merge-versions.ts";
import { type FolderHandle, openFolder } from "./open-file.ts";
import { addTail, type CarryOver, type Place, type Swap, swapIn } from "./swap-in.ts";

/** What a change of a file is about to replace, and by what; null where there is no file. `drops` are the older copies that may be dropped to keep it. */
export type ReplacedVersions = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The permission bits of the file before. */
  readonly mode: number | null;
  readonly drops?: readonly string[];
};

/** Keeps the contents of a file before a change for undo, and returns the id of the copy. Keeps the contents after it where there is room, for an undo after others changed the file too. */
export type KeepPreImage = (versions: ReplacedVersions) => Promise<string>;

/** An older copy of a file that an undo may need, and the files whose changes it would undo. */
export type DroppedCopy = { readonly id: string; readonly paths: readonly string[] };

/** The older copies that would have to be dropped to keep these contents of a file; empty while there is room. */
export type PlanPreImage = (
  path: string,
  bytes: Uint8Array | null,
  session: string,
) => Promise<readonly DroppedCopy[]>;

/** One change of one file. `path` is real; null stands for no file. */
export type FileReplacement = {
  readonly path: string;
  /** The contents that were judged. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The mode of a new file; null leaves it to the umask. An existing file keeps its mode. */
  readonly mode: number | null;
  readonly keepPreImage: KeepPreImage;
  /** Makes the change on other contents than those that were judged. Without it such contents are a conflict. It may be called where nothing waits. */
  readonly carryOver?: CarryOver;
};

/** What a change replaced, and what the file holds since. They differ from what was judged where others changed the file too. */
export type Replaced = { readonly before: Uint8Array | null; readonly after: Uint8Array | null };

/**
 * Changes a file as a whole or not at all. Agents exclude each other by a lock in the folder. The pre-image is kept first and the new bytes are forced to
 * disk beside the old file; then the contents and the editor's lock are checked once more, and one rename makes the change. What the rename displaced is
 * looked at: what somebody changed in it at the last moment is merged. Missing folders are created. Mode and owner stay, and extended attributes where the
 * system supports them.
 */
export async function replaceFile(change: FileReplacement): Promise<Fallible<Replaced>> {
  const { path, before, after } = change;
  return await catchFileErrors(path, async () => {
    const opened = await openParent(dirname(path), after !== null && before === null);
    if (!opened.ok) return opened;
    await using folder = opened.value;
    const locked = await lockFolder(folder);
    if (!locked.ok) return locked;
    await using lock = locked.value;
    const name = folder.inside(basename(path));
    const checkEditor = () => checkEditorLock(path, name);
    const found = (await checkEditor()) ?? (await readWholeFile(path, undefined, name));
    if (!found.ok) return found;
    const current = found.value?.bytes ?? null;
    const carryOver = change.carryOver ?? refuseOther(change);
    const wanted = sameBytes(current, before) ? done(after) : carryOver(current);
    if (!wanted.ok) return wanted;
    await change.keepPreImage({ path, before, after, mode: found.value?.mode ?? null });
    const place = { path, name, folder, lock, file: found.value, mode: change.mode, checkEditor };
    const merge = change.carryOver ?? mergeOver(change, { before, after });
    return await settle(place, { before: current, after: wanted.value, carryOver }, merge);
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

/** Refuses contents that were not judged. */
function refuseOther({ path, before }: Pick<FileReplacement, "path" | "before">): CarryOver {
  const what = before === null ? "a file of this name appeared" : "the file changed";
  return () =>
    problem(
      "conflict",
      `${path}: ${what} after this was judged, so nothing was written. Read it again and propose a new change.`,
    );
}

/** Makes a change on contents that somebody else changed as well. */
function mergeOver({ path }: Pick<FileReplacement, "path">, { before, after }: Replaced): CarryOver {
  return (found) => {
    const merged = mergeVersions({ base: before, ours: after, theirs: found });
    if (merged.ok) return done(merged.bytes);
    return problem(
      "conflict",
      `${path}: somebody else changed the same lines at the same moment, so their words were left. Read it again and propose a new change.`,
    );
  };
}

/** Swaps until nothing was displaced that was not looked at. More are not needed: what is added to the end of a file is taken over in one. */
const mostSwaps = 8;

/** Swaps new contents in. Where the swap displaced what somebody had changed at the last moment, their change is made in the new contents too; where that cannot be, theirs are put back. */
async function settle(place: Place, first: Swap, merge: CarryOver): Promise<Fallible<Replaced>> {
  let [swap, mend] = [first, merge];
  let conflict: ActProblem | null = null;
  let before: Uint8Array | null = null;
  for (let count = 0; count < mostSwaps; count += 1) {
    const swapped = await swapIn(place, swap);
    if (!swapped.ok) return conflict ?? swapped;
    const { displaced, ...made } = swapped.value;
    if (count === 0) before = displaced;
    const grown = await addTail(place, swapped.value);
    if (grown !== null || sameBytes(displaced, made.before)) {
      return conflict ?? done({ before, after: grown ?? made.after });
    }
    const mended = mend(displaced);
    if (!mended.ok) conflict = mended;
    const next = { before: made.after, after: mended.ok ? mended.value : displaced };
    mend = mergeOver(place, next);
    swap = { ...next, carryOver: mend };
  }
  return (
    conflict ??
    problem(
      "busy",
      `${place.path}: another program changes the file all the time. Try again once it has ended.`,
    )
  );
}

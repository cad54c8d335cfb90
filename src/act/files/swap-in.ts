import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileContents } from "./contents.ts";
import { draftName } from "./drafts.ts";
import { type ActProblem, done, errorCode, type Fallible, problem } from "./fallible.ts";
import type { FolderLock } from "./folder-lock.ts";
import { copyAttributes, giveTo, overwrite, writeInPlace } from "./keep-owner.ts";
import { sameBytes } from "./merge-versions.ts";
import type { FolderHandle } from "./open-file.ts";

/** Makes a change on other contents than those that it was made for; null stands for no file. */
export type CarryOver = (found: Uint8Array | null) => Fallible<Uint8Array | null>;

/** The file that is swapped. `name` is a path to it that goes through the open folder. */
export type Place = {
  readonly path: string;
  readonly name: string;
  readonly folder: FolderHandle;
  readonly lock: FolderLock;
  /** The file as it was read; null if there was none. A new version keeps its attributes. */
  readonly file: FileContents | null;
  /** The mode of a new file; null leaves it to the umask. */
  readonly mode: number | null;
  readonly checkEditor: () => Promise<ActProblem | null>;
};

/** One swap: the contents that the file should hold, the new ones, and how they come about if it holds others. */
export type Swap = {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly carryOver: CarryOver;
};

/** A swap that was made: the contents that the new ones were made from, the new ones, and what the file really held. */
export type Swapped = {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly displaced: Uint8Array | null;
};

/** `isOurs`: it cannot be given to the owner of the file whose place it is to take. */
type Draft = { readonly path: string; readonly open: FileHandle | null; readonly isOurs: boolean };

/** Milliseconds in which a program that opened the old file before the rename ends its write; the longer time where one is known to write. */
const graceTime = 20;
const longGraceTime = 100;

/** Swaps new contents in by one rename, and looks at what it displaced. */
export async function swapIn(place: Place, swap: Swap): Promise<Fallible<Swapped>> {
  const path = place.folder.inside(draftName());
  try {
    const written = swap.after === null ? null : await writeDraft(path, place, swap.after);
    await using open = written?.handle ?? null;
    const draft = { path, open, isOurs: written?.isOurs ?? false };
    for (;;) {
      const held = await place.checkEditor();
      if (held !== null) return held;
      using old = openNow(place.name);
      const moved = exchange(place, swap, { old, draft });
      if (moved === null) continue;
      if (!moved.ok) return moved;
      const { before, after, isLate, isInPlace } = moved.value;
      if (isLate) await open?.sync();
      await place.folder.flush();
      return done({
        before,
        after,
        displaced: isInPlace ? before : await readDisplaced(old, before, isLate),
      });
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** What the displaced file holds once programs that had opened it have ended their writes. Where the file is being written, that is waited for longer. */
async function readDisplaced(
  old: OpenVersion,
  before: Uint8Array | null,
  isWritten: boolean,
): Promise<Uint8Array | null> {
  let [last, wait] = [before, isWritten ? longGraceTime : graceTime];
  while (last !== null) {
    await sleep(wait);
    const now = old.read();
    if (sameBytes(now, last)) break;
    [last, wait] = [now, longGraceTime];
  }
  return last;
}

/** Adds what was added to the end of the displaced file to the end of the new one, whose contents it returns; null where something else was changed, or nothing. */
export async function addTail(
  { name }: Place,
  { before, after, displaced }: Swapped,
): Promise<Uint8Array | null> {
  if (before === null || after === null || displaced === null) return null;
  const isWhole = before.length === 0 || before.at(-1) === 10;
  const tail = displaced.subarray(before.length);
  if (!isWhole || tail.length === 0 || !sameBytes(displaced.subarray(0, before.length), before)) return null;
  await using handle = await openToAdd(name);
  if (handle === null) return null;
  await handle.writeFile(tail);
  await handle.sync();
  return Buffer.concat([after, tail]);
}

/** Opens a file to add to its end; null for one that its mode keeps us from writing, which can only be replaced. */
async function openToAdd(name: string): Promise<FileHandle | null> {
  try {
    return await open(name, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === "EACCES") return null;
    throw error;
  }
}

/**
 * What an exchange made. `isLate`: the new contents were written at the last moment, and may not be on the
 * disk yet. `isInPlace`: the old file holds them now.
 */
type Exchange = Omit<Swapped, "displaced"> & { readonly isLate: boolean; readonly isInPlace: boolean };

/**
 * Compares the file once more and renames; null if another file took its place meanwhile. It is synchronous: nothing of this process comes in between, and
 * other processes have microseconds.
 */
function exchange(
  { path, name, lock, file }: Place,
  swap: Swap,
  { old, draft }: { readonly old: OpenVersion; readonly draft: Draft },
): Fallible<Exchange> | null {
  if (!lock.isHeld())
    return problem(
      "conflict",
      `${path}: another agent took over the lock of the folder, so nothing was written. Try again.`,
    );
  const before = old.read();
  const isLate = !sameBytes(before, swap.before);
  const wanted = isLate ? swap.carryOver(before) : done(swap.after);
  if (!wanted.ok) return wanted;
  const after = wanted.value;
  if (isLate && after !== null) writeNow(draft, after, file?.mode ?? null);
  if (!old.isAt(name)) return null;
  if (before === null)
    return after === null || placeNew(draft.path, name)
      ? done({ before, after, isLate, isInPlace: false })
      : null;
  try {
    if (after === null) unlinkSync(name);
    else if (!draft.isOurs) renameSync(draft.path, name);
  } catch (error) {
    if (errorCode(error) !== "EBUSY") throw error;
    if (after !== null) return replaceMounted(name, { before, after, isLate });
    return problem("conflict", `${path} is mounted by itself, so it was not removed. Unmount it first.`);
  }
  const isInPlace = draft.isOurs && after !== null;
  if (isInPlace) writeInPlace(name, { before, after });
  return done({ before, after, isLate, isInPlace });
}

/**
 * Writes through a file that is mounted by itself, as one that is bound into a container: nothing can take
 * its place.
 */
function replaceMounted(
  name: string,
  {
    before,
    after,
    isLate,
  }: { readonly before: Uint8Array; readonly after: Uint8Array; readonly isLate: boolean },
): Fallible<Exchange> {
  writeInPlace(name, { before, after });
  return done({ before, after, isLate, isInPlace: true });
}

/** A version of a file that stays readable after another one took its name. */
type OpenVersion = Disposable & {
  /** Its contents right now; null if there was no file. */
  readonly read: () => Uint8Array | null;
  /** Whether it still has its name. */
  readonly isAt: (name: string) => boolean;
};

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens the file that has a name right now. A link, which appeared since, is refused. */
function openNow(name: string): OpenVersion {
  const file = openIfThere(name);
  if (file === null)
    return { read: () => null, isAt: () => !existsSync(name), [Symbol.dispose]: () => undefined };
  const opened = fstatSync(file);
  if (!opened.isFile()) {
    closeSync(file);
    throw Object.assign(new Error(`${name} is not a file`), { code: "ENXIO" });
  }
  return {
    read: () => readWhole(file),
    isAt: () => statSync(name, { throwIfNoEntry: false })?.ino === opened.ino,
    [Symbol.dispose]: () => closeSync(file),
  };
}

function openIfThere(name: string): number | null {
  try {
    return openSync(name, readFlags);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function readWhole(file: number): Uint8Array {
  const room = Buffer.alloc(fstatSync(file).size);
  let filled = 0;
  while (filled < room.length) {
    const count = readSync(file, room, filled, room.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return room.subarray(0, filled);
}

/** Writes the draft at the last moment: into the open draft, or a new one with that mode. */
function writeNow({ path, open: opened }: Draft, bytes: Uint8Array, mode: number | null): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const target = opened?.fd ?? openSync(path, flags, 0o600);
  overwrite(target, bytes);
  if (opened !== null) return;
  if (mode !== null) fchmodSync(target, mode);
  fsyncSync(target);
  closeSync(target);
}

const noSecondNames = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Gives a draft its name; false if something has that name by now. */
function placeNew(draft: string, name: string): boolean {
  try {
    linkSync(draft, name);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!noSecondNames.includes(errorCode(error))) throw error;
    renameSync(draft, name);
  }
  return true;
}

async function writeDraft(
  draft: string,
  place: Place,
  bytes: Uint8Array,
): Promise<{ readonly handle: FileHandle; readonly isOurs: boolean }> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const mode = place.file?.mode ?? place.mode;
  const handle = await open(draft, flags, mode === null ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (place.file !== null) await copyAttributes(place.name, handle);
    const isOurs = place.file !== null && !(await giveTo(handle, place.file));
    if (mode !== null) await handle.chmod(mode);
    await handle.sync();
    return { handle, isOurs };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

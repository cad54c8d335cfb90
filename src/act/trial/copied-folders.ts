import { type BigIntStats, readlinkSync } from "node:fs";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import { markDeleted } from "../sandbox/mark-deleted.ts";
import {
  type CopiedFolders,
  mountScript,
  type Overlay,
  openOverlay,
  runSystemProgram,
} from "../sandbox/overlay.ts";
import { namesIn, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { isLike } from "./given-modes.ts";
import { copyEach, holdFolder, holdOwnFolder } from "./held-place.ts";
import type { CopyPlan } from "./plan-copies.ts";

/** The folders to copy by the folder around them. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** In the upper folder, until each copy is at its place. */
const staged = ".passepartout-copies";

/**
 * Opens an overlay in which folders are copied with all below, so that the kernel lets a program rename them:
 * it refuses that to a folder of which a part lies in the folder below the overlay, as if that were another
 * disk. Gives the reason where they are not copied as they are.
 */
export async function openWithCopies(
  folder: string,
  state: string,
  { folders, areAll }: CopyPlan,
): Promise<Overlay | string> {
  const groups = Map.groupBy(folders, dirname);
  const overlay = await openOverlay(folder, state, null, async ({ place, inMounts }) => {
    if (!(await stageCopies(groups, place))) return `${folder} could not be copied`;
    const above = [...groups.keys()].filter((path) => path !== folder);
    const isCopiedUp = above.length === 0 || (await copyUp(above, { folder, place, inMounts }));
    const isMarked =
      isCopiedUp &&
      (await markDeleted(
        folders.map((path) => join(place, "upper", relative(folder, path))),
        join(place, "mark"),
      ));
    return isMarked ? null : "the disk of the state cannot hold the copies";
  });
  if (typeof overlay === "string") return overlay;
  await using stack = new AsyncDisposableStack();
  stack.use(overlay);
  const paths = [...groups.keys()];
  for (const [index, path] of paths.entries())
    if (!(await placeCopies(overlay, path, { index, isLast: index === paths.length - 1 })))
      return `the copies could not be brought to ${path}`;
  const copied = await recordCopies(overlay, folders, areAll);
  if (copied === null) return `${folder} was changed while it was copied`;
  stack.move();
  return { ...overlay, copied };
}

/**
 * Copies each group into a folder of its own, below one that no program of an overlay sees before it is
 * mounted.
 */
async function stageCopies(groups: Groups, place: string): Promise<boolean> {
  const copies = join(place, "upper", staged);
  await makePlain(copies);
  for (const [index, [path, folders]] of [...groups].entries()) {
    const own = join(copies, `${index}`);
    await makePlain(own);
    await using from = await holdFolder(path);
    await using to = await holdOwnFolder(own);
    if (from === null) return false;
    await copyEach(
      folders.map((each) => basename(each)),
      from,
      to,
      "--reflink=auto",
    );
  }
  return true;
}

/** Makes a folder that gives what is made in it no group. */
async function makePlain(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o700);
}

/**
 * Has the kernel copy folders themselves into the upper folder, with all that is attached to them. A folder
 * that gets its own times is copied and otherwise stays as it is.
 */
async function copyUp(
  paths: readonly string[],
  {
    folder,
    place,
    inMounts,
  }: { readonly folder: string; readonly place: string; readonly inMounts: readonly string[] },
): Promise<boolean> {
  const words = [...inMounts, "/bin/sh", "-c", copyUpScript, "overlay", folder, place, ...paths];
  return (await runSystemProgram(words)).code === 0;
}

/** What is mounted is gone before the overlay itself is: two of them have no upper folder in common. */
const copyUpScript = `${mountScript} && root=$1 && shift 2 &&
for each in "$@"; do /usr/bin/touch --no-create --no-dereference --reference="$each" -- "$each" || exit 1; done &&
/usr/bin/umount "$root"`;

/**
 * Brings the copies of a group to their places, where nothing of the folder below the overlay is seen any
 * more: the kernel marks them as covering what is there.
 */
async function placeCopies(
  { enter, folder, upper }: Overlay,
  path: string,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
): Promise<boolean> {
  const all = join(folder, staged);
  const below = path === folder ? "" : join(dirname(upper), "lower", relative(folder, path));
  const given = [path, join(all, `${index}`), below, isLast ? all : ""];
  return (await runSystemProgram([...enter, "/bin/sh", "-c", placeScript, "place", ...given])).code === 0;
}

const placeScript = `cd "$2" && /usr/bin/find . -mindepth 1 -maxdepth 1 -exec /bin/mv -t "$1" -- {} + || exit 1
cd / && /bin/rmdir -- "$2" || exit 1
[ -z "$3" ] || /usr/bin/touch --no-create --no-dereference --reference="$3" -- "$1" || exit 1
[ -z "$4" ] || /bin/rmdir -- "$4"`;

/** An entry that was copied. */
type CopiedEntry = Pick<BigIntStats, "ino" | "ctimeNs">;

/**
 * Looks at all that was copied, as it is in the folder, in the upper folder and in the overlay; null where
 * they differ. What it gives knows what was changed since by the time of the last change, which no program
 * sets.
 */
async function recordCopies(
  overlay: Overlay,
  folders: readonly string[],
  areAll: boolean,
): Promise<CopiedFolders | null> {
  const names = new Map<string, readonly string[]>();
  const entries = new Map<string, CopiedEntry>();
  let latest = 0n;
  for (const folder of folders) {
    const copy = join(overlay.upper, relative(overlay.folder, folder));
    for await (const { inside, status } of walkEntries(copy)) {
      const path = join(folder, inside);
      const meant = await statusOf(path);
      if (meant === null || !isCopyOf([join(copy, inside), status], [path, meant])) return null;
      entries.set(path, { ino: status.ino, ctimeNs: status.ctimeNs });
      if (status.ctimeNs > latest) latest = status.ctimeNs;
      if (!status.isDirectory()) continue;
      const all = await namesInAll(overlay, path, join(copy, inside));
      if (all === null) return null;
      names.set(path, all);
    }
    if (!entries.has(folder)) return null;
  }
  if (!(await isAfter(latest, join(dirname(overlay.upper), "tick")))) return null;
  const isCopy = (path: string, { ino }: BigIntStats): boolean => entries.get(path)?.ino === ino;
  return {
    folders,
    areAll,
    namesIn: (path) => names.get(path) ?? null,
    isCopy,
    isUntouched: (path, status) => isCopy(path, status) && entries.get(path)?.ctimeNs === status.ctimeNs,
  };
}

function isCopyOf(
  [copy, made]: readonly [string, BigIntStats],
  [path, meant]: readonly [string, BigIntStats],
): boolean {
  if (!isLike(made, meant) || made.mtimeNs !== meant.mtimeNs) return false;
  return !meant.isSymbolicLink() || targetOf(copy).equals(targetOf(path));
}

function targetOf(path: string): Buffer {
  return readlinkSync(bytesOfPath(path), { encoding: "buffer" });
}

/**
 * The names in a folder where they are the same in its copy, and the overlay shows all of them; else null.
 */
async function namesInAll(overlay: Overlay, path: string, copy: string): Promise<readonly string[] | null> {
  try {
    await using shown = await overlay.openFolder(path);
    const [all = [], ...others] = await Promise.all([path, copy, shown.at()].map(namesIn));
    return others.every((each) => each.join("/") === all.join("/")) ? all : null;
  } catch (fault) {
    if (errorCode(fault) === "" && !(fault instanceof LeadsElsewhere)) throw fault;
    return null;
  }
}

/**
 * Waits until the clock of a file system is beyond a time: a change that is made then has another time. False
 * where it does not get there, as after it was set back.
 */
async function isAfter(time: bigint, at: string): Promise<boolean> {
  for (let left = mostTicks; left > 0; left -= 1) {
    await writeFile(at, "");
    const { ctimeNs } = await stat(at, { bigint: true });
    await rm(at);
    if (ctimeNs > time) return true;
    await setTimeout(tick);
  }
  return false;
}

/** Milliseconds between two looks, and looks. */
const tick = 2;
const mostTicks = 500;

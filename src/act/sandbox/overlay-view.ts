import { randomUUID } from "node:crypto";
import { lstat, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import type { Confinement, Mask } from "./bubblewrap.ts";
import { enterMounts, holdMounts, mountsOf } from "./mounts.ts";
import { folderOpener, mountPrograms, type Overlay } from "./overlay.ts";

/** What a command does not see of an overlay, and what it does not change there. */
export type Covers = Pick<Confinement, "masked" | "locked"> & { readonly pinned: readonly string[] };

/** How commands see an overlay. */
export type OverlayView = Pick<Overlay, "enter" | "openFolder"> & AsyncDisposable;

/**
 * Makes a view of an overlay before anything runs in it, while its names still are those of the folder: what
 * is covered stays covered, whatever becomes of the names, since a mount hangs on the file and not on its
 * name. Gives the reason where it cannot be made.
 */
export async function openOverlayView(overlay: Overlay, covers: Covers): Promise<OverlayView | string> {
  const paths = [...covers.pinned, ...covers.locked, ...covers.masked.map(({ path }) => path)];
  if (paths.length === 0) return { ...overlay, [Symbol.asyncDispose]: async () => {} };
  const place = dirname(overlay.upper);
  const id = randomUUID();
  const [table, mask] = [join(place, `covers-${id}`), join(place, `mask-${id}`)];
  await writeFile(table, tableOf(covers, mask), { mode: 0o600 });
  const words = [...overlay.enter, mountPrograms.unshare, "--mount", "/bin/sh", "-c", script, "view"];
  await using stack = new AsyncDisposableStack();
  const holder = await holdMounts([...words, table, mask], place);
  if (typeof holder !== "string") stack.use(holder);
  for (const made of [table, mask]) await unlink(made).catch(keepIfMissing);
  if (typeof holder === "string") return `it could not be covered (${holder})`;
  const mounts = new Map((await mountsOf(holder.pid)).map((mount) => [mount.point, mount]));
  for (const path of paths) {
    if (!mounts.has(path) && (await isThere(overlay, path))) return `${path} could not be covered`;
  }
  const changeable = fixedIn(covers).find((path) => mounts.get(path)?.isReadOnly === false);
  if (changeable !== undefined) return `the cover of ${changeable} could be changed`;
  const opened = stack.move();
  return {
    enter: enterMounts(holder.pid),
    openFolder: folderOpener(holder.pid, overlay.folders),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * One program makes all mounts, in a tenth of the time that bubblewrap takes. Whether it made each is looked
 * up, not believed: one whose file is gone by now is not needed. What is mounted over a file is a node that
 * nobody can open, as overlayfs makes it for what was deleted: each user may make one, it is no file that a
 * program could take for the real one, and no device of the machine, whose modes root could change through
 * it.
 */
const script = `/usr/bin/mknod -m 0 "$2" c 0 0 && ${mountPrograms.mount} -a -T "$1"; echo ready && read -r _`;

function keepIfMissing(fault: unknown): void {
  if (errorCode(fault) !== "ENOENT") throw fault;
}

/** What must not be changed through its cover. A folder in memory is the view's own. */
function fixedIn({ locked, masked }: Covers): readonly string[] {
  const own = masked.filter(({ kind, standIn }) => kind === "folder" && standIn === undefined);
  const inMemory = new Set(own.map(({ path }) => path));
  return [...locked, ...masked.map(({ path }) => path)].filter((path) => !inMemory.has(path));
}

/** Whether a path is in the overlay, also as a link. A link in the way to it counts. */
async function isThere(overlay: Overlay, path: string): Promise<boolean> {
  try {
    const isWhole = overlay.folders.includes(path);
    await using parent = await overlay.openFolder(isWhole ? path : dirname(path));
    await lstat(bytesOfPath(parent.at(isWhole ? "" : basename(path))));
    return true;
  } catch (fault) {
    if (errorCode(fault) === "ENOENT") return false;
    if (fault instanceof LeadsElsewhere) return true;
    throw fault;
  }
}

/** The mounts as a table of `mount`, in an order in which the later ones lie in the earlier ones. */
function tableOf({ pinned, locked, masked }: Covers, mask: string): Buffer {
  const lines = [
    ...pinned.map((path) => [path, path, "none", "rbind"]),
    ...locked.map((path) => [path, path, "none", "rbind,ro"]),
    ...masked.map((each) => maskFields(each, mask)),
  ];
  return Buffer.concat(
    lines.flatMap((fields) => [...fields.map((field) => writtenField(field)), Buffer.from("0 0\n")]),
  );
}

/**
 * A read-only mount keeps what the one that it comes from forbids; on a disk that forbids less it may all be
 * forbidden nevertheless.
 */
const readOnly = "bind,ro,nosuid,nodev,noexec";

function maskFields({ path, kind, standIn }: Mask, mask: string): readonly string[] {
  if (standIn !== undefined) return [standIn, path, "none", readOnly];
  if (kind === "file") return [mask, path, "none", readOnly];
  return ["tmpfs", path, "tmpfs", "size=1m,mode=755,nosuid,nodev"];
}

/** A field of the table, with a space behind it: blanks and backslashes are written as numbers. */
function writtenField(field: string): Buffer {
  const written = Buffer.from(bytesOfPath(field))
    .toString("latin1")
    .replaceAll(/[\s\\]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return Buffer.from(`${written} `, "latin1");
}

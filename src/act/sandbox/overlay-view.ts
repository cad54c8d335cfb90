import { randomUUID } from "node:crypto";
import { lstat, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import type { Confinement, Mask } from "./bubblewrap.ts";
import { enterMounts, holdMounts, mountPointsOf } from "./mounts.ts";
import { folderOpener, type Overlay } from "./overlay.ts";

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
  const table = join(place, `covers-${randomUUID()}`);
  await writeFile(table, tableOf(covers), { mode: 0o600 });
  const words = [...overlay.enter, "/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "view", table];
  await using stack = new AsyncDisposableStack();
  const holder = await holdMounts(words, place);
  if (typeof holder !== "string") stack.use(holder);
  await unlink(table);
  if (typeof holder === "string") return `it could not be covered (${holder})`;
  const points = new Set(await mountPointsOf(holder.pid));
  for (const path of paths) {
    if (!points.has(path) && (await isThere(overlay, path))) return `${path} could not be covered`;
  }
  const opened = stack.move();
  return {
    enter: enterMounts(holder.pid),
    openFolder: folderOpener(holder.pid, overlay.folders),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * One program makes all mounts, in a tenth of the time that bubblewrap takes. Whether it made each is looked
 * up, not believed: one whose file is gone by now is not needed.
 */
const script = '/usr/bin/mount -a -T "$1"; echo ready && read -r _';

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
function tableOf({ pinned, locked, masked }: Covers): Buffer {
  const lines = [
    ...pinned.map((path) => [path, path, "none", "rbind"]),
    ...locked.map((path) => [path, path, "none", "rbind,ro"]),
    ...masked.map(maskFields),
  ];
  return Buffer.concat(
    lines.flatMap((fields) => [...fields.map((field) => writtenField(field)), Buffer.from("0 0\n")]),
  );
}

function maskFields({ path, kind, standIn }: Mask): readonly string[] {
  if (standIn !== undefined) return [standIn, path, "none", "bind,ro"];
  if (kind === "file") return ["/dev/null", path, "none", "bind"];
  return ["tmpfs", path, "tmpfs", "size=1m,mode=755,nosuid,nodev"];
}

/** A field of the table, with a space behind it: blanks and backslashes are written as numbers. */
function writtenField(field: string): Buffer {
  const written = Buffer.from(bytesOfPath(field))
    .toString("latin1")
    .replaceAll(/[\s\\]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return Buffer.from(`${written} `, "latin1");
}

import { mkdir, mkdtemp, readdir, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { type HeldFolder, LeadsElsewhere, openFolderBeneath } from "../files/open-beneath.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { copyAccess, copyingLists, notCopied } from "./copy-access.ts";
import { markDeleted } from "./mark-deleted.ts";
import { enterMounts, holdMounts } from "./mounts.ts";
import { mountPrograms, type Overlay, removePlace } from "./overlay.ts";
import { makeStandIns } from "./process-folders.ts";

/** A part of a folder. */
export type FolderPart = {
  /** By its real path. */
  readonly folder: string;
  /** The names in it that are seen, with all below, and may be there or not. */
  readonly shown: readonly string[];
};

/**
 * An overlay that shows a part of a folder. It is not mounted at its path: whoever starts a program binds
 * `merged` there.
 */
export type PartOverlay = Overlay & { readonly merged: string };

/** What a program is to find in a part besides: it is empty, so that something can be bound there. */
export type Place = { readonly path: string; readonly kind: "file" | "folder" | { readonly target: string } };

/** Of a folder with more names, no part is shown: each name that is not seen is covered. */
export const mostNames = 20_000;

/**
 * The mounts. What is not seen has a mark of overlayfs for what was deleted, in `hide`; `places`, above it,
 * has what stands there nevertheless.
 */
const script = `cd "$2" && ${mountPrograms.mount} --bind "$1" lower &&
${mountPrograms.mount} -t overlay -o userxattr,index=off,lowerdir=places:hide:lower,upperdir=upper,workdir=work overlay merged &&
/bin/chmod 700 work/work &&
echo ready && read -r _`;

/**
 * Opens an overlay of a part of a folder, inside another overlay, which ends after it; or says why there is
 * none.
 */
export async function openPartOverlay(
  { folder, shown }: FolderPart,
  places: readonly Place[],
  { state, within }: { readonly state: string; readonly within: Overlay },
): Promise<PartOverlay | string> {
  const found = await openFolderBeneath("/", folder).catch(nullIfMoved);
  if (found === null) return `${folder} is not there any more, or leads elsewhere`;
  await using held = found;
  const names = await readdir(held.at(), { encoding: "buffer" });
  if (names.length > mostNames) return `${folder} has more than ${mostNames.toLocaleString("en")} names`;
  await using stack = new AsyncDisposableStack();
  const place = await makePlaceFor(folder, state);
  if (place === null) return `${folder} holds the state of the agent, and all other places for a copy`;
  stack.defer(() => removePlace(place));
  for (const name of ["lower", "upper", "work", "hide", "places", "merged"]) await mkdir(join(place, name));
  const { ctimeNs } = await stat(join(place, "upper"), { bigint: true });
  const hidden = names.map(textOfName).filter((name) => !shown.includes(name));
  const marks = hidden.map((name) => join(place, "hide", name));
  if (!(await markDeleted(marks, join(place, "lower/mark"))))
    return "the disk of the state cannot cover names";
  for (const each of places) await makePlace(each, folder, join(place, "places"));
  const unlike = await copyAccess(held.at(), join(place, "upper"), folder);
  if (unlike !== null) return unlike;
  const words = [mountPrograms.unshare, "--mount", "/bin/sh", "-c", script, "overlay", folder, place];
  const access = copyingLists(folder, join(place, "upper"));
  const holder = await holdMounts([...access, ...within.enter, ...words], place);
  if (holder === notCopied) return `the list of access of ${folder} cannot be held on the disk of ${state}`;
  if (typeof holder === "string") return `the kernel gives no overlay of ${folder} (${holder})`;
  stack.use(holder);
  const root = `/proc/${holder.pid}/root${place}`;
  if (!(await isSame(`${root}/lower`, held))) return `${folder} led elsewhere while it was mounted`;
  const opened = stack.move();
  return {
    folder,
    folders: within.folders,
    enter: enterMounts(holder.pid),
    openFolder: (path) =>
      isInside(folder, path)
        ? openFolderBeneath(`${root}/merged`, path.slice(folder.length))
        : within.openFolder(path),
    isSeen: (path) => shown.some((name) => isInside(join(folder, name), path)),
    upper: join(place, "upper"),
    merged: join(place, "merged"),
    closed: new Map(),
    begun: ctimeNs,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * Makes the folder of an overlay. The kernel takes none that lies in the folder of which it is: where the
 * state does, as in a home folder, it is made where the system keeps what is temporary.
 */
async function makePlaceFor(folder: string, state: string): Promise<string | null> {
  if (!isInside(folder, await realpath(state))) return mkdtemp(join(state, `overlay-${process.pid}-`));
  for (const place of ["/var/tmp", tmpdir()]) {
    const real = await realpath(place);
    if (!isInside(folder, real)) return makeStandIns(real);
  }
  return null;
}

function nullIfMoved(fault: unknown): null {
  if (fault instanceof LeadsElsewhere || ["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(fault)))
    return null;
  throw fault;
}

async function makePlace({ path, kind }: Place, folder: string, places: string): Promise<void> {
  const at = join(places, path.slice(folder.length));
  await mkdir(bytesOfPath(kind === "folder" ? at : dirname(at)), { recursive: true });
  if (kind === "folder" || (await entryIfThere(at)) !== null) return;
  await (kind === "file" ? writeFile(bytesOfPath(at), "") : symlink(kind.target, bytesOfPath(at)));
}

async function isSame(path: string, held: HeldFolder): Promise<boolean> {
  const [one, other] = [await stat(path), await stat(held.at())];
  return one.dev === other.dev && one.ino === other.ino;
}

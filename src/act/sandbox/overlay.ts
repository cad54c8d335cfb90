import { spawn } from "node:child_process";
import { type BigIntStats, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { errorCode } from "../files/fallible.ts";
import { ignoresCaseInside } from "../files/ignores-case.ts";
import { type HeldFolder, LeadsElsewhere, openFolderBeneath } from "../files/open-beneath.ts";
import { copyAccess, copyingLists, notCopied } from "./copy-access.ts";
import { enterMounts, holdMounts, isReadOnly, isRoot, mountNamespaces, mountPointsOf } from "./mounts.ts";

/**
 * Folders that were copied into an overlay with all below before a program ran in it: unlike what lies in its
 * folder alone, they can be renamed.
 */
export type CopiedFolders = {
  /** The outermost of them. */
  readonly folders: readonly string[];
  /** Whether they are all folders that are in the folder. */
  readonly areAll: boolean;
  /** The names that were in a folder when it was copied; null for one that was not. */
  readonly namesIn: (path: string) => readonly string[] | null;
  /** Whether an entry of the overlay is what was copied from its path. */
  readonly isCopy: (path: string, status: BigIntStats) => boolean;
  /** Whether it is, and nothing of it itself was changed since. */
  readonly isUntouched: (path: string, status: BigIntStats) => boolean;
};

/** A copy-on-write view of a folder: programs in it see the folder at its own path, and what they change lies beside it. It ends, with all that was changed and not kept, when it is disposed. */
export type Overlay = AsyncDisposable & {
  readonly folder: string;
  /**
   * All folders of which programs in it see a copy: the folder, and that of an overlay which it was opened
   * in.
   */
  readonly folders: readonly string[];
  /** The words before a program that start it in the overlay. */
  readonly enter: readonly string[];
  /** Opens a folder of the overlay by its path, following no link. */
  readonly openFolder: (path: string) => Promise<HeldFolder>;
  /** Whether programs in it see a path of the folder. Default: they see all. */
  readonly isSeen?: (path: string) => boolean;
  /** The folder that holds what was changed, as overlayfs keeps it. */
  readonly upper: string;
  /**
   * The permissions that programs gave what they closed to its owner, by its path: it was opened, so that it
   * can be read.
   */
  readonly closed: Map<string, number>;
  /** When the overlay began, in nanoseconds, by the clock of its file system. */
  readonly begun: bigint;
  /** Default: none. */
  readonly copied?: CopiedFolders | undefined;
};

/** Puts something into the `upper` of an overlay before it is mounted; says why where it could not. */
export type FillOverlay = (unmounted: {
  readonly place: string;
  /** The words before a program that start it where it may make mounts. */
  readonly inMounts: readonly string[];
}) => Promise<string | null>;

/** Programs of the system that make mounts. */
export const mountPrograms = {
  unshare: "/usr/bin/unshare",
  nsenter: "/usr/bin/nsenter",
  mount: "/usr/bin/mount",
};
const shell = "/bin/sh";

/**
 * The mounts of an overlay. The folder is bound first, since the options of overlayfs have no room for every name. The kernel makes a folder in `work` that nobody can
 * open: it is opened, so that whoever reads or backs up the state is not stopped by it.
 */
export const mountScript = `cd "$2" && ${mountPrograms.mount} --bind "$1" lower &&
${mountPrograms.mount} -t overlay -o userxattr,index=off,lowerdir=lower,upperdir=upper,workdir=work overlay "$1" &&
/bin/chmod 700 work/work`;
/** Holds the overlay open until this process closes the pipe or ends. */
const holdScript = `${mountScript} && echo ready && read -r _`;

/**
 * Opens an overlay of a folder, or says why there is none. `state` is a folder of the agent itself; what is
 * changed lies there. `within`: another overlay, of a folder elsewhere, that programs in the new one see as
 * well. It ends after the new one.
 */
export async function openOverlay(
  folder: string,
  state: string,
  within: Overlay | null = null,
  fill: FillOverlay = () => Promise.resolve(null),
): Promise<Overlay | string> {
  const missing = Object.values(mountPrograms).find((program) => !existsSync(program));
  if (missing !== undefined) return `${missing} is missing; install the package util-linux`;
  const unheld = await findUnheld(folder);
  if (unheld !== null) return unheld;
  await mkdir(state, { recursive: true, mode: 0o700 });
  await using stack = new AsyncDisposableStack();
  const place = await mkdtemp(join(state, `overlay-${process.pid}-`));
  stack.defer(() => removePlace(place));
  for (const name of ["lower", "upper", "work"]) await mkdir(join(place, name));
  const { ctimeNs } = await stat(join(place, "upper"), { bigint: true });
  const unlike = await copyAccess(folder, join(place, "upper"));
  if (unlike !== null) return unlike;
  const own = within === null ? mountNamespaces() : ["--mount"];
  const inMounts = [...(within?.enter ?? []), mountPrograms.unshare, ...own];
  const unfilled = await fill({ place, inMounts });
  if (unfilled !== null) return unfilled;
  const words = [...inMounts, shell, "-c", holdScript, "overlay", folder, place];
  const access = copyingLists(folder, join(place, "upper"));
  const holder = await holdMounts([...access, ...words], place);
  if (holder === notCopied) return `the list of access of ${folder} cannot be held on the disk of ${state}`;
  if (typeof holder === "string") return `the kernel gives no overlay here (${holder})`;
  stack.use(holder);
  if (!(await mountPointsOf(holder.pid)).includes(folder))
    return `${folder} led elsewhere while it was mounted`;
  const folders = [folder, ...(within?.folders ?? [])];
  const opened = stack.move();
  return {
    folder,
    folders,
    enter: enterMounts(holder.pid),
    openFolder: folderOpener(holder.pid, folders),
    upper: join(place, "upper"),
    closed: new Map(),
    begun: ctimeNs,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Why an overlay would not show or hold all of a folder; null where it would. */
export async function findUnheld(folder: string): Promise<string | null> {
  if (await holdsOtherMounts(folder)) return `other file systems are mounted in ${folder}`;
  if (await ignoresCaseInside(folder))
    return `the disk of ${folder} ignores the case of letters, which no copy of the folder does`;
  const foreign = await findForeign(folder, await writableNow(folder));
  return foreign === null
    ? null
    : `${foreign} belongs to another user or group, which no copy of the folder can hold`;
}

/**
 * What in a folder belongs to somebody whom a namespace of this user does not know: the kernel copies
 * nothing of theirs. Null where nothing does. `only`: what of it counts, in words of `find`; default: all.
 */
export async function findForeign(folder: string, only: readonly string[] = []): Promise<string | null> {
  if (isRoot()) return null;
  const [user = "", group = ""] = [`${process.geteuid?.()}`, `${process.getegid?.()}`];
  const foreign = ["(", "!", "-uid", user, "-o", "!", "-gid", group, ")"];
  const { said } = await run(["/usr/bin/find", folder, ...foreign, ...only, "-print", "-quit"]);
  return said === "" ? null : said.trimEnd();
}

/**
 * What this user may write, in words of `find`. Where the file system is read-only it is what the modes
 * allow: an overlay of it is not read-only, and copies it.
 */
async function writableNow(folder: string): Promise<readonly string[]> {
  const isLink = ["!", "-type", "l"];
  if (!(await isReadOnly(folder))) return [...isLink, "-writable"];
  const user = `${process.geteuid?.()}`;
  const groups = process.getgroups?.() ?? [];
  const byGroup = groups.flatMap((group) => ["-o", "-gid", `${group}`, "-perm", "-020"]);
  return [...isLink, "(", "-perm", "-002", "-o", "-uid", user, "-perm", "-200", ...byGroup, ")"];
}

/** Tries an overlay of a folder made for it: null where overlays work, else why they do not. Leaves all as it was, also where there was no `state`. */
export async function findOverlayProblem(state: string): Promise<string | null> {
  const madeState = await mkdir(state, { recursive: true, mode: 0o700 });
  // The kernel names a mount by the path without its links.
  const folder = await mkdtemp(join(await realpath(state), `probe-${process.pid}-`));
  try {
    const overlay = await openOverlay(folder, state);
    if (typeof overlay === "string") return overlay;
    await using _ = overlay;
    await using made = await overlay.openFolder(folder);
    await writeFile(made.at("made"), "made");
    const kept = await readdir(overlay.upper);
    return kept.includes("made") && (await readdir(folder)).length === 0
      ? null
      : "what is changed in an overlay is not kept apart";
  } catch (fault) {
    if (fault instanceof Error) return fault.message;
    throw fault;
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (madeState !== undefined) await rmdir(state).catch(keepWhereFilled);
  }
}

/** A folder that something else was put into meanwhile stays. */
function keepWhereFilled(fault: unknown): void {
  if (!(fault instanceof Error && "code" in fault && fault.code === "ENOTEMPTY")) throw fault;
}

/** Opens folders below some folders, as they are for a process that holds mounts. */
export function folderOpener(pid: number, folders: readonly string[]): Overlay["openFolder"] {
  return async (path) => {
    const folder = folders.find((each) => isInside(each, path));
    if (folder === undefined) throw new LeadsElsewhere(`${path} is not in ${folders.join(" or ")}`);
    return openFolderBeneath(`/proc/${pid}/root${folder}`, path.slice(folder.length));
  };
}

/** Removes the folders of an overlay that ended. Often nothing is left in them, and no program is needed. */
export async function removePlace(place: string): Promise<void> {
  try {
    for (const name of ["work/work", "work", "upper", "lower", ""]) await rmdir(join(place, name));
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    await removeTree(place);
  }
}

/** Whether something is mounted below a folder: an overlay would show nothing of it. */
async function holdsOtherMounts(folder: string): Promise<boolean> {
  return (await mountPointsOf("self")).some((point) => point.startsWith(`${folder}/`));
}

/**
 * Removes a folder with everything below, however deep it is, and also below folders that a program closed.
 * Programs do what this process cannot: paths may be longer than any call takes.
 */
export async function removeTree(folder: string): Promise<void> {
  if (await isRemovedHere(folder)) return;
  const remove = ["/bin/rm", "-rf", "--", folder] as const;
  if ((await run(remove)).code === 0) return;
  const open = ["-execdir", "/bin/chmod", "u+rwx", "--", "{}", ";"];
  await run(["/usr/bin/find", folder, "-type", "d", "!", "-perm", "-0700", ...open]);
  if ((await run(remove)).code !== 0) throw new Error(`${folder} could not be removed`);
}

/**
 * Entries that this process removes itself: it takes less time than to start a program, and no more folders
 * are held open at once.
 */
const fewEntries = 100;

/** Whether a folder was removed without a program. Where it was not, some of what was in it may be gone. */
async function isRemovedHere(folder: string): Promise<boolean> {
  try {
    await using held = await openFolderBeneath(folder, "");
    if ((await emptyFolder(held, fewEntries)) < 0) return false;
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes what is in a folder, and follows no link. Gives how many of `most` entries were not needed; less
 * than none if they were too few.
 */
async function emptyFolder(held: HeldFolder, most: number): Promise<number> {
  const entries = await readdir(held.at(), { withFileTypes: true });
  let left = most - entries.length;
  for (const entry of entries) {
    if (left < 0) break;
    if (entry.isDirectory()) {
      await using below = await openFolderBeneath(held.at(), entry.name);
      left = await emptyFolder(below, left);
    }
    if (left >= 0) await (entry.isDirectory() ? rmdir : unlink)(held.at(entry.name));
  }
  return left;
}

async function run(words: readonly string[], input = "") {
  const { code, said } = await runSystemProgram(words, input);
  return { code, said: said.toString() };
}

/** The exit code of a program of the system, and what it printed. `input` is what it reads. */
export async function runSystemProgram(
  [program = "", ...args]: readonly string[],
  input: string | Buffer = "",
): Promise<{ readonly code: number; readonly said: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env: {} });
  const said: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => said.push(bytes));
  child.stdin.on("error", () => undefined).end(input);
  child.once("error", reject);
  child.once("close", (code) => resolve(code ?? 1));
  const code = await promise;
  return { code, said: Buffer.concat(said) };
}

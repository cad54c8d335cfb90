import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { type HeldFolder, LeadsElsewhere, openFolderBeneath } from "../files/open-beneath.ts";
import { enterMounts, holdMounts, mountPointsOf } from "./mounts.ts";

/** A copy-on-write view of a folder: programs in it see the folder at its own path, and what they change lies beside it. It ends, with all that was changed and not kept, when it is disposed. */
export type Overlay = AsyncDisposable & {
  readonly folder: string;
  /** The words before a program that start it in the overlay. */
  readonly enter: readonly string[];
  /** Opens a folder of the overlay by its path, following no link. */
  readonly openFolder: (path: string) => Promise<HeldFolder>;
  /** The folder that holds what was changed, as overlayfs keeps it. */
  readonly upper: string;
  /** When the overlay began, in nanoseconds, by the clock of its file system. */
  readonly begun: bigint;
};

const programs = { unshare: "/usr/bin/unshare", nsenter: "/usr/bin/nsenter", mount: "/usr/bin/mount" };
const shell = "/bin/sh";

/**
 * The mounts of an overlay. The folder is bound first, since the options of overlayfs have no room for every name. The kernel makes a folder in `work` that nobody can
 * open: it is opened, so that whoever reads or backs up the state is not stopped by it. The last line holds the overlay open until this process closes the pipe or ends.
 */
const script = `${programs.mount} --bind "$1" lower &&
${programs.mount} -t overlay -o userxattr,index=off,lowerdir=lower,upperdir=upper,workdir=work overlay "$1" &&
/bin/chmod 700 work/work &&
echo ready && read -r _`;

/** Opens an overlay of a folder, or says why there is none. `state` is a folder of the agent itself; what is changed lies there. */
export async function openOverlay(folder: string, state: string): Promise<Overlay | string> {
  const missing = Object.values(programs).find((program) => !existsSync(program));
  if (missing !== undefined) return `${missing} is missing; install the package util-linux`;
  if (await holdsOtherMounts(folder)) return `other file systems are mounted in ${folder}`;
  await mkdir(state, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(state, `overlay-${process.pid}-`));
  for (const name of ["lower", "upper", "work"]) await mkdir(join(place, name));
  const { ctimeNs } = await stat(join(place, "upper"), { bigint: true });
  const { mode } = await stat(folder);
  await chmod(join(place, "upper"), mode & 0o777);
  const holder = await holdMounts(
    [programs.unshare, "--user", "--map-root-user", "--mount", shell, "-c", script, "overlay", folder],
    place,
  );
  const close = async (): Promise<void> => {
    if (typeof holder !== "string") await holder[Symbol.asyncDispose]();
    await removeTree(place);
  };
  if (typeof holder === "string") {
    await close();
    return `the kernel gives no overlay to ordinary users here (${holder})`;
  }
  if (!(await mountPointsOf(holder.pid)).includes(folder)) {
    await close();
    return `${folder} led elsewhere while it was mounted`;
  }
  return {
    folder,
    enter: enterMounts(holder.pid),
    openFolder: folderOpener(holder.pid, folder),
    upper: join(place, "upper"),
    begun: ctimeNs,
    [Symbol.asyncDispose]: close,
  };
}

/** Tries an overlay of a folder made for it: null where overlays work, else why they do not. Leaves all as it was, also where there was no `state`. */
export async function findOverlayProblem(state: string): Promise<string | null> {
  const madeState = await mkdir(state, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(state, `probe-${process.pid}-`));
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

/** Opens folders below a folder, as they are for a process that holds mounts. */
export function folderOpener(pid: number, folder: string): Overlay["openFolder"] {
  return async (path) => {
    if (!isInside(folder, path)) throw new LeadsElsewhere(`${path} is not in ${folder}`);
    return openFolderBeneath(`/proc/${pid}/root${folder}`, path.slice(folder.length));
  };
}

/** Whether something is mounted below a folder: an overlay would show nothing of it. */
async function holdsOtherMounts(folder: string): Promise<boolean> {
  return (await mountPointsOf("self")).some((point) => point.startsWith(`${folder}/`));
}

/** Removes a folder with everything below, however deep it is, and also below folders that a program closed. Programs do it: paths may be longer than any call takes. */
export async function removeTree(folder: string): Promise<void> {
  const remove = ["/bin/rm", "-rf", "--", folder] as const;
  if ((await codeOf(...remove)) === 0) return;
  const open = ["-execdir", "/bin/chmod", "u+rwx", "--", "{}", ";"];
  await codeOf("/usr/bin/find", folder, "-type", "d", "!", "-perm", "-0700", ...open);
  if ((await codeOf(...remove)) !== 0) throw new Error(`${folder} could not be removed`);
}

/** The exit code of a program of the system. */
async function codeOf(program: string, ...args: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(program, args, { stdio: "ignore", env: {} });
  child.once("error", reject);
  child.once("close", (code) => resolve(code ?? 1));
  return promise;
}

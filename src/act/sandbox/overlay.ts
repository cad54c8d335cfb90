import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A copy-on-write view of a folder: programs in it see the folder at its own path, and what they change lies beside it. It ends, with all that was changed and not kept, when it is disposed. */
export type Overlay = AsyncDisposable & {
  readonly folder: string;
  /** The words before a program that start it in the overlay. */
  readonly enter: readonly string[];
  /** The path by which this process opens a path of the overlay. */
  readonly inside: (path: string) => string;
  /** The folder that holds what was changed, as overlayfs keeps it. */
  readonly upper: string;
  /** When the overlay began, in nanoseconds, by the clock of its file system. */
  readonly begun: bigint;
};

const programs = { unshare: "/usr/bin/unshare", nsenter: "/usr/bin/nsenter", mount: "/usr/bin/mount" };
const shell = "/bin/sh";

/** Milliseconds in which an overlay is mounted. */
const patience = 10_000;

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
  if (await holdsMounts(folder)) return `other file systems are mounted in ${folder}`;
  await mkdir(state, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(state, `overlay-${process.pid}-`));
  for (const name of ["lower", "upper", "work"]) await mkdir(join(place, name));
  const { ctimeNs } = await stat(join(place, "upper"), { bigint: true });
  const { mode } = await stat(folder);
  await chmod(join(place, "upper"), mode & 0o777);
  const holder = spawn(
    programs.unshare,
    ["--user", "--map-root-user", "--mount", shell, "-c", script, "overlay", folder],
    { cwd: place, env: {}, stdio: ["pipe", "pipe", "pipe"], detached: true },
  );
  const close = async (): Promise<void> => {
    await end(holder);
    await removeTree(place);
  };
  const problem = await readiness(holder);
  if (problem !== null) {
    await close();
    return `the kernel gives no overlay to ordinary users here (${problem})`;
  }
  return {
    folder,
    enter: [
      programs.nsenter,
      "--user",
      "--mount",
      "--preserve-credentials",
      "--target",
      String(holder.pid),
      "--",
    ],
    inside: (path) => `/proc/${holder.pid}/root${path}`,
    upper: join(place, "upper"),
    begun: ctimeNs,
    [Symbol.asyncDispose]: close,
  };
}

/** Tries an overlay of a folder made for it: null where overlays work, else why they do not. Leaves all as it was, also where there was no `state`. */
export async function findOverlayProblem(state: string): Promise<string | null> {
  const made = await mkdir(state, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(state, `probe-${process.pid}-`));
  try {
    const overlay = await openOverlay(folder, state);
    if (typeof overlay === "string") return overlay;
    await using _ = overlay;
    await writeFile(overlay.inside(join(folder, "made")), "made");
    const kept = await readdir(overlay.upper);
    return kept.includes("made") && (await readdir(folder)).length === 0
      ? null
      : "what is changed in an overlay is not kept apart";
  } catch (fault) {
    if (fault instanceof Error) return fault.message;
    throw fault;
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (made !== undefined) await rmdir(state).catch(keepWhereFilled);
  }
}

/** A folder that something else was put into meanwhile stays. */
function keepWhereFilled(fault: unknown): void {
  if (!(fault instanceof Error && "code" in fault && fault.code === "ENOTEMPTY")) throw fault;
}

/** Waits until the overlay is mounted; null then, else what the programs said. */
async function readiness(holder: ChildProcess): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const said: Buffer[] = [];
  holder.stderr?.on("data", (bytes: Buffer) => said.push(bytes));
  holder.stdout?.once("data", () => resolve(null));
  holder.once("error", (fault) => resolve(fault.message));
  holder.once("close", () => resolve(Buffer.concat(said).toString().trim().split("\n")[0] ?? ""));
  const timer = setTimeout(() => resolve(`it took more than ${patience / 1000} s`), patience);
  const problem = await promise;
  clearTimeout(timer);
  return problem;
}

async function end(holder: ChildProcess): Promise<void> {
  if (holder.pid === undefined || holder.exitCode !== null || holder.signalCode !== null) return;
  const ended = once(holder, "exit");
  holder.kill("SIGKILL");
  await ended;
}

/** Whether something is mounted below a folder: an overlay would show nothing of it. */
async function holdsMounts(folder: string): Promise<boolean> {
  const mounts = await readFile("/proc/self/mountinfo", "utf8");
  const points = mounts.split("\n").map((line) => line.split(" ")[4] ?? "");
  const written = folder.replaceAll(
    /[\s\\]/g,
    (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return points.some((point) => point.startsWith(`${written}/`));
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

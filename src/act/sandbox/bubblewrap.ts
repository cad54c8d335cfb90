import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bind, type BoundPlace, bindsOf } from "./binds.ts";
import { bubblewrapPlaces } from "./sandbox-lack.ts";
import { assembleFilter } from "./seccomp.ts";
import { startingWords, userOptions } from "./starting-words.ts";
import { readSystem, withHosts } from "./system-folders.ts";

/** A path whose contents are not visible in the sandbox. */
export type Mask = {
  readonly path: string;
  readonly kind: "file" | "folder";
  /**
   * Whether the names in a folder stay, so that no program takes them for deleted. Default: the folder is
   * empty.
   */
  readonly keepsNames?: boolean;
  /** What is seen in its place. Default: nothing is. */
  readonly standIn?: string;
};

/** What one command may see. Later lists win over earlier ones: a hidden path stays hidden. */
export type Confinement = {
  /** A real absolute path that exists inside. */
  readonly cwd: string;
  /** The real absolute path of the one folder that may be written; null for none. */
  readonly workspace: string | null;
  /** Whether the workspace may be written or only read. */
  readonly writable: boolean;
  readonly readable: readonly Bind[];
  /** Further folders that may be written, as real absolute paths. Default: none. */
  readonly writableFolders?: readonly string[];
  /** What stands at further paths, and may be written or not. Default: nothing. */
  readonly places?: readonly BoundPlace[];
  /** Files without which the program does not start. */
  readonly required?: readonly Bind[];
  /** Links that lead to `from`. */
  readonly links?: readonly Bind[];
  /** Folders that exist and are empty. */
  readonly folders?: readonly string[];
  /** Folders inside the workspace that cannot be moved, so that the locked paths in them stay in place. */
  readonly pinned?: readonly string[];
  /** Paths inside the workspace that stay read-only, because they are executed later. */
  readonly locked: readonly string[];
  readonly masked: readonly Mask[];
  readonly environment: ReadonlyMap<string, string>;
  /** Whether the variables come on descriptor 5, by `sendVariables`, and not in the words, which every user of the machine can list. Default: no. */
  readonly hidesVariables?: boolean;
  /** Whether the program of the sandbox says on descriptor 4 which process is the first in it. Default: no. */
  readonly informs?: boolean;
};

/** Runs programs that see only what they need: no network of their own, no sockets, no state, no other process. */
export type Sandbox = {
  readonly program: string;
  /** The filter of system calls, which the program reads from descriptor 3; null where the kernel or this program has none for the machine. */
  readonly filter: Uint8Array | null;
  /** The words that run `argv` confined; the first is the program of the sandbox. */
  readonly argv: (argv: readonly string[], confinement: Confinement) => readonly string[];
};

/** The home folder inside; empty, and gone with the command. */
export const sandboxHome = "/tmp-home";
/** Folders that a sandbox has of its own: what is written there is gone with the command. */
export const sandboxFolders = ["/dev/shm", "/tmp", sandboxHome] as const;

/**
 * Finds bubblewrap and runs `true` in it. Null if it is missing or the kernel refuses it. With `path`, looks only there. A trial that failed for another reason
 * is repeated, and throws if bubblewrap could not be tried at all: what is missing for a moment must not leave the agent unconfined, or confined less, for its life.
 */
export async function findSandbox(path?: string): Promise<Sandbox | null> {
  const system = await readSystem();
  const filters = [...new Set([assembleFilter(process.arch), null])];
  const starts = startingWords(process.getuid?.() === 0);
  const variants = filters.flatMap((filter) => starts.map((start) => ({ filter, start })));
  for (const program of path === undefined ? bubblewrapPlaces : [path]) {
    if (!existsSync(program)) continue;
    const pauses = [...usualPauses];
    for (const { filter, start } of variants) {
      const sandbox: Sandbox = {
        program,
        filter,
        argv: (argv, given) => [
          ...withHosts,
          ...start.before,
          program,
          ...userOptions(start.knowsAll),
          ...wrap(system, given, filter),
          "--",
          ...argv,
        ],
      };
      if (await isWorking(sandbox, pauses)) return sandbox;
    }
  }
  return null;
}

const passingFaults = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** What bubblewrap says where the kernel refuses it, or where it does not know an option. Anything else may pass: a package that is installed meanwhile replaces files that the sandbox shows. */
const lastingProblem = /not permitted|read-only|permission|invalid argument|not implemented|unknown option/i;

/** Milliseconds before each further trial of a bubblewrap that failed for a reason that may pass. */
const usualPauses = [100, 400];

/** Milliseconds in which `true` ends. */
const patience = 20_000;

/** Tries a sandbox, again after each of the pauses that are left. */
async function isWorking(sandbox: Sandbox, pauses: number[]): Promise<boolean> {
  const argv = sandbox.argv(["/usr/bin/true"], {
    cwd: "/",
    workspace: null,
    writable: false,
    readable: [],
    locked: [],
    masked: [],
    environment: new Map(),
  });
  for (;;) {
    const said: Buffer[] = [];
    const ended = await endOf(argv, sandbox.filter, (bytes) => said.push(bytes));
    if (ended === 0) return true;
    if (ended === "timed-out") throw notTried(sandbox, `it did not end in ${patience / 1000} seconds`);
    if (lastingProblem.test(Buffer.concat(said).toString())) return false;
    const pause = pauses.shift();
    if (pause !== undefined) await sleep(pause);
    else if (typeof ended === "string" && passingFaults.has(ended)) throw notTried(sandbox, ended);
    else return false;
  }
}

function notTried({ program }: Sandbox, why: string): Error {
  return new Error(
    `The sandbox ${program} could not be tried (${why}), so nothing starts. Close some programs, or raise the limit that was reached, and try again.`,
  );
}

/** The exit code of a program in the sandbox, or why it has none. Its output is not kept. */
export function endInSandbox(
  sandbox: Sandbox,
  argv: readonly string[],
  confinement: Confinement,
): Promise<number | string> {
  return endOf(sandbox.argv(argv, confinement), sandbox.filter);
}

/** The exit code of a program, or why it has none: the name of a fault, or of the signal that ended it. `onError` gets its standard error. */
async function endOf(
  [program = "", ...args]: readonly string[],
  filter: Uint8Array | null,
  onError?: (bytes: Buffer) => void,
): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  try {
    const pipeIf = (isNeeded: boolean) => (isNeeded ? "pipe" : "ignore");
    const stdio: StdioOptions = ["ignore", "ignore", pipeIf(onError !== undefined), pipeIf(filter !== null)];
    const child = spawn(program, args, { stdio, env: {} });
    if (onError !== undefined) child.stderr?.on("data", onError);
    // Where this process itself was held up or the machine slept, the end has come and is read in the next moment.
    let timer = setTimeout(() => {
      timer = setTimeout(() => resolve("timed-out"), 1000);
    }, patience);
    child.on("error", (fault) => resolve("code" in fault ? String(fault.code) : fault.message));
    child.on("close", (code, signal) => resolve(code ?? signal ?? 1));
    sendFilter(child, filter);
    const ended = await promise;
    clearTimeout(timer);
    child.kill("SIGKILL");
    return ended;
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return String(fault.code);
    throw fault;
  }
}

function wordsOf(variables: ReadonlyMap<string, string>): readonly string[] {
  return [...variables].flatMap(([name, value]) => ["--setenv", name, value]);
}

/** Sends variables to the program of a sandbox that hides them. None of them holds a null character. */
export function sendVariables(child: ChildProcess, variables: ReadonlyMap<string, string>): void {
  const pipe = child.stdio.at(5);
  if (pipe === null || pipe === undefined || !("end" in pipe)) return;
  pipe.on("error", () => child.kill("SIGKILL"));
  pipe.end(
    wordsOf(variables)
      .map((word) => `${word}\0`)
      .join(""),
  );
}

/** Sends the filter to the program of the sandbox, which reads it before it starts anything. If it ends before, its exit code says so. */
export function sendFilter(child: ChildProcess, filter: Uint8Array | null): void {
  if (filter === null || child.pid === undefined) return;
  const pipe = child.stdio[3];
  if (pipe === null || pipe === undefined || !("end" in pipe)) return;
  pipe.on("error", () => child.kill("SIGKILL"));
  pipe.end(filter);
}

function maskWords({ path, kind, keepsNames, standIn }: Mask): readonly string[] {
  if (standIn !== undefined) return ["--ro-bind", standIn, path];
  if (kind === "file") return ["--ro-bind", "/dev/null", path];
  return ["--perms", keepsNames === true ? "0000" : "0755", "--size", mebibytes(1), "--tmpfs", path];
}

const mebibytes = (count: number): string => String(count * 1024 * 1024);

function wrap(system: readonly string[], given: Confinement, filter: Uint8Array | null): readonly string[] {
  const { workspace } = given;
  return [
    "--new-session",
    "--die-with-parent",
    ...(filter === null ? [] : ["--seccomp", "3"]),
    ...(given.informs === true ? ["--info-fd", "4"] : []),
    "--clearenv",
    ...(given.hidesVariables === true ? ["--args", "5"] : wordsOf(given.environment)),
    ...system,
    // Settings of the kernel are files of root: to a sandbox that root starts they would be writable.
    "--proc",
    "/proc",
    "--remount-ro",
    "/proc",
    "--dev",
    "/dev",
    "--size",
    mebibytes(256),
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--size",
    mebibytes(256),
    "--tmpfs",
    "/tmp",
    "--size",
    mebibytes(64),
    "--tmpfs",
    sandboxHome,
    ...(given.folders ?? []).flatMap((path) => ["--dir", path]),
    ...(given.links ?? []).flatMap(({ from, to }) => ["--symlink", from, to]),
    ...bindsOf(given),
    ...(given.required ?? []).flatMap(({ from, to }) => ["--ro-bind", from, to]),
    ...(workspace === null ? [] : [given.writable ? "--bind" : "--ro-bind", workspace, workspace]),
    ...(given.writableFolders ?? []).flatMap((path) => ["--bind", path, path]),
    ...(given.pinned ?? []).flatMap((path) => [given.writable ? "--bind-try" : "--ro-bind-try", path, path]),
    ...given.locked.flatMap((path) => ["--ro-bind-try", path, path]),
    ...given.masked.flatMap(maskWords),
    ...(workspace === null ? ["--dir", given.cwd] : []),
    "--remount-ro",
    "/",
    "--chdir",
    given.cwd,
  ];
}

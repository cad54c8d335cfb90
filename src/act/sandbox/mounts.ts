import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { isInside } from "../../text/is-inside.ts";
import { textOfName } from "../files/byte-names.ts";

/** A process that holds mounts of its own, until it is disposed or this process ends. */
export type MountHolder = AsyncDisposable & { readonly pid: number };

/** Milliseconds in which mounts are made. */
const patience = 10_000;

/**
 * Starts a program that makes mounts, says something on its output when they are there, and stays until its
 * input closes. Gives what it said where it failed.
 */
export async function holdMounts(
  [program = "", ...args]: readonly string[],
  cwd: string,
): Promise<MountHolder | string> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const said: Buffer[] = [];
  const holder = spawn(program, args, { cwd, env: {}, stdio: ["pipe", "pipe", "pipe"], detached: true });
  holder.stderr?.on("data", (bytes: Buffer) => said.push(bytes));
  holder.stdout?.once("data", () => resolve(null));
  holder.once("error", (fault) => resolve(fault.message));
  holder.once("close", () => resolve(Buffer.concat(said).toString().trim().split("\n")[0] ?? ""));
  const timer = setTimeout(() => resolve(`it took more than ${patience / 1000} s`), patience);
  const problem = await promise;
  clearTimeout(timer);
  const close = async (): Promise<void> => {
    if (holder.pid === undefined || holder.exitCode !== null || holder.signalCode !== null) return;
    const ended = once(holder, "exit");
    holder.kill("SIGKILL");
    await ended;
  };
  if (problem === null && holder.pid !== undefined) return { pid: holder.pid, [Symbol.asyncDispose]: close };
  await close();
  return problem ?? "it did not start";
}

/** Root needs no user namespace for mounts of its own: without one, every owner and group is known there. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** The options of `unshare` by which this user can make mounts of its own. */
export function mountNamespaces(): readonly string[] {
  return isRoot() ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
}

/** The words before a program that start it with the mounts that a process holds. */
export function enterMounts(pid: number): readonly string[] {
  const namespaces = isRoot() ? ["--mount"] : ["--user", "--mount", "--preserve-credentials"];
  return ["/usr/bin/nsenter", ...namespaces, "--target", String(pid), "--"];
}

/** The paths at which file systems are mounted for a process. */
export async function mountPointsOf(pid: number | "self"): Promise<readonly string[]> {
  return (await mountsOf(pid)).map(({ point }) => point);
}

/**
 * Whether a folder lies on a file system that is mounted read-only, also where only its place is (a bind
 * mount).
 */
export async function isReadOnly(folder: string): Promise<boolean> {
  const mounts = (await mountsOf("self")).filter(({ point }) => isInside(point, folder));
  // Of mounts at one place the last hides the others.
  const [nearest] = mounts.toReversed().toSorted((one, other) => other.point.length - one.point.length);
  return nearest?.isReadOnly === true;
}

type Mount = { readonly point: string; readonly isReadOnly: boolean };

/** The file systems that are mounted for a process. Of those at one place the last hides the others. */
export async function mountsOf(pid: number | "self"): Promise<readonly Mount[]> {
  const mounts = await readFile(`/proc/${pid}/mountinfo`, "latin1");
  return mounts
    .trimEnd()
    .split("\n")
    .map((line) => {
      const fields = line.split(" ");
      const [written = "", options = ""] = fields.slice(4);
      const bytes = written.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      );
      const all = [options, fields.at(-1) ?? ""].flatMap((each) => each.split(","));
      return { point: textOfName(Buffer.from(bytes, "latin1")), isReadOnly: all.includes("ro") };
    });
}

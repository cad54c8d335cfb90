import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

/** The first process of a sandbox: with it ends all that runs there. `since` tells it from a later process with its number. */
export type FirstProcess = { readonly pid: number; readonly since: string };

/** Reads which process is the first of a sandbox, as bubblewrap writes it. Null where none was started, or it ended already. */
export async function readFirstProcess(pipe: Readable): Promise<FirstProcess | null> {
  const pid = Number(/"child-pid":\s*(\d+)/.exec(await text(pipe))?.[1] ?? 0);
  const since = pid === 0 ? null : await startOf(pid);
  return typeof since === "string" ? { pid, since } : null;
}

/** Milliseconds. */
const [interval, patience] = [2, 30_000];

/** Waits until the first process is gone: the program of the sandbox may end a little before the programs in it do. Throws if it stays. */
export async function awaitGone({ pid, since }: FirstProcess): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await pause(interval))
    if (await hasEnded({ pid, since })) return;
  throw new Error(`The sandbox with process ${pid} did not end in ${patience / 1000} s.`);
}

/** Whether the first process of a sandbox is gone. Where that cannot be looked up, it is not. */
export async function hasEnded({ pid, since }: FirstProcess, processes = "/proc"): Promise<boolean> {
  const start = await startOf(pid, processes);
  return start !== unknown && start !== since;
}

const unknown = Symbol("unknown");

/** When a process began, in ticks of the system; null for one that is gone, or only waits to be noticed. */
async function startOf(pid: number, processes = "/proc"): Promise<string | null | typeof unknown> {
  try {
    const status = await readFile(join(processes, String(pid), "stat"), "utf8");
    const [state, ...rest] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return state === undefined || state === "" || "ZX".includes(state) ? null : (rest[18] ?? null);
  } catch (fault) {
    const isGone = fault instanceof Error && "code" in fault && /^(?:ENOENT|ESRCH)$/.test(String(fault.code));
    return isGone && existsSync(join(processes, "self")) ? null : unknown;
  }
}

import { readdir, readFile, statfs } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import type { Outcome } from "../../signal/tool.ts";
import { errorCode } from "../files/fallible.ts";

/** Runs a command. `started` is told the first process of each sandbox; what it gives is called when that ended. */
export type ExecuteTrial = (cancel: AbortSignal, started: (pid: number) => () => void) => Promise<Outcome>;

/** What all processes of a trial may use together, in bytes and counts, and what they must leave to others. */
export const trialLimits = {
  disk: 8_000_000_000,
  files: 500_000,
  freeDisk: 1_000_000_000,
  memory: Math.max(4_000_000_000, totalmem() / 2),
  freeMemory: 256_000_000,
  processes: 1_024,
};

/** Milliseconds between looks. */
const interval = 200;

/** Runs a trial, and ends it when it goes beyond a limit; then its outcome says which. */
export async function withinLimits(
  trial: { readonly upper: string; readonly execute: ExecuteTrial },
  cancel: AbortSignal,
  limits: typeof trialLimits,
): Promise<Outcome> {
  const over = new AbortController();
  const first = new Set<number>();
  const before = await usage(trial.upper, first);
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    const problem = findExcess(before, await usage(trial.upper, first), limits);
    if (problem !== null) over.abort(problem);
  };
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => over.abort("could not be watched"));
  }, interval);
  try {
    const outcome = await trial.execute(AbortSignal.any([cancel, over.signal]), (pid) => {
      first.add(pid);
      return () => first.delete(pid);
    });
    if (!over.signal.aborted) return outcome;
    const message = `The trial was ended, since it ${String(over.signal.reason)}. Nothing of it was kept.`;
    return { status: "error", code: "beyond-limits", message };
  } finally {
    clearInterval(timer);
    await looking;
  }
}

type Usage = {
  readonly freeDisk: number;
  readonly freeFiles: number;
  readonly freeMemory: number;
  readonly memory: number;
  readonly processes: number;
};

function findExcess(before: Usage, now: Usage, limits: typeof trialLimits): string | null {
  const isScarce = (kind: "freeDisk" | "freeMemory"): boolean =>
    now[kind] < limits[kind] && before[kind] >= limits[kind];
  if (before.freeDisk - now.freeDisk > limits.disk || isScarce("freeDisk")) return "filled the disk";
  if (before.freeFiles - now.freeFiles > limits.files) return `made more than ${limits.files} files`;
  if (now.memory > limits.memory || isScarce("freeMemory")) return "took too much memory";
  if (now.processes > limits.processes) return `started more than ${limits.processes} processes`;
  return null;
}

async function usage(upper: string, first: ReadonlySet<number>): Promise<Usage> {
  const [{ bavail, bsize, ffree }, all] = await Promise.all([
    statfs(upper),
    Promise.all([...first].map(usageOf)),
  ]);
  return {
    freeDisk: bavail * bsize,
    freeFiles: ffree,
    freeMemory: freemem(),
    memory: all.reduce((sum, { memory }) => sum + memory, 0),
    processes: all.reduce((sum, { processes }) => sum + processes, 0),
  };
}

const pageBytes = 4_096;

/** What the processes of a sandbox use, as its own `/proc` lists them: memory that no other process shares. Nothing once it ended. */
async function usageOf(first: number): Promise<Pick<Usage, "memory" | "processes">> {
  const folder = join("/proc", String(first), "root", "proc");
  const names = (await readdir(folder).catch(noneWhereEnded)).filter((name) => /^\d+$/.test(name));
  const pages = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, "statm"), "utf8").catch((fault: unknown) =>
        noneWhereEnded(fault).join(""),
      );
      const [, resident = 0, shared = 0] = text.split(" ").map(Number);
      return resident - shared;
    }),
  );
  return { memory: pages.reduce((sum, some) => sum + some, 0) * pageBytes, processes: names.length };
}

/** Any other error ends the trial: what cannot be seen has no limit. */
function noneWhereEnded(fault: unknown): readonly string[] {
  if (["ENOENT", "ESRCH"].includes(errorCode(fault))) return [];
  throw fault;
}

import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkDone } from "./refused-again.ts";
import type { SandboxStarted } from "./run.ts";

/** Entries of the changed files that are looked at. */
const mostEntries = 5_000;
/** Milliseconds of a tick of the system. */
const tick = 10;

/** What the programs in the sandboxes of a run do over an overlay. */
export class WorkInSandboxes {
  readonly #upper: string;
  readonly #firstPids = new Set<number>();

  /** `upper` is the folder that holds what they changed. */
  constructor(upper: string) {
    this.#upper = upper;
  }

  /** Learns the first process of each sandbox, and tells it on. */
  watch(told: SandboxStarted | undefined): SandboxStarted {
    return (pid) => {
      this.#firstPids.add(pid);
      const ended = told?.(pid);
      return () => {
        this.#firstPids.delete(pid);
        ended?.();
      };
    };
  }

  readonly measure = async (): Promise<WorkDone> => {
    const times = await Promise.all([...this.#firstPids].map(processorTime));
    return {
      processor: times.reduce((sum, time) => sum + time, 0),
      changed: await latestChange(this.#upper),
    };
  };
}

/** With the time of processes that ended: whoever waited for one has it. */
async function processorTime(firstPid: number): Promise<number> {
  const folder = join("/proc", String(firstPid), "root", "proc");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const times = await Promise.all(
    names.map(async (name) => {
      const status = await readFile(join(folder, name, "stat"), "utf8").catch(() => "");
      const [user = 0, system = 0, ofUser = 0, ofSystem = 0] = status
        .slice(status.lastIndexOf(")") + 2)
        .split(" ")
        .slice(11, 15)
        .map(Number);
      return (user + system + ofUser + ofSystem) * tick;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

async function latestChange(upper: string): Promise<number> {
  let latest = 0;
  const waiting = [upper];
  let left = mostEntries;
  for (let folder = waiting.pop(); folder !== undefined && left > 0; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      left -= 1;
      const path = join(folder, entry.name);
      latest = Math.max(latest, (await lstat(path).catch(() => null))?.ctimeMs ?? 0);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return latest;
}

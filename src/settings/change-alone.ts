import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Does work on a file while no other process changes it: waits for one that does, and throws where it does not end. */
export async function changeAlone<T>(path: string, work: () => T): Promise<T> {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 0; !takeLock(lock); tries += 1) {
    if (tries === mostTries)
      throw new Error(`Another command changes ${path} now (${lock} is there). Try again in 10 seconds.`);
    await wait(betweenTries);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock where nobody has it, or a process that was killed left it behind. */
function takeLock(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - since > staleAfter) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** How often a lock is tried, and the milliseconds between: 2 seconds in all. */
const mostTries = 40;
const betweenTries = 50;
/** Milliseconds after which a lock was left by a process that was killed. */
const staleAfter = 10_000;

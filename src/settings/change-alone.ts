import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolderOf } from "./replace-file.ts";

/** How long a lock is waited for, and after how long it was left behind by a process that was killed: longer than any work takes. Milliseconds. */
export type LockTimes = { readonly patience: number; readonly staleAfter: number };

const usualTimes: LockTimes = { patience: 2_000, staleAfter: 10_000 };

/** Does work on a file while no other process changes it: waits for one that does, and throws where it does not end. */
export async function changeAlone<T>(
  path: string,
  work: () => T | Promise<T>,
  { patience, staleAfter }: LockTimes = usualTimes,
): Promise<T> {
  const lock = `${path}.lock`;
  makeFolderOf(path);
  for (let waited = 0; !takeLock(lock, staleAfter); waited += betweenTries) {
    if (waited >= patience)
      throw new Error(
        `Another command changes ${path} now (${lock} is there). Try again in ${staleAfter / 1000} seconds.`,
      );
    await wait(betweenTries);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock where nobody has it, or a process that was killed left it behind. */
function takeLock(lock: string, staleAfter: number): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - since > staleAfter) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EEXIST") return false;
    // In a folder that cannot be written, as of a file that is mounted by itself, nobody can take a lock.
    if (["EROFS", "EACCES", "EPERM"].includes(code)) return true;
    throw error;
  }
}

/** Milliseconds between two tries. */
const betweenTries = 50;

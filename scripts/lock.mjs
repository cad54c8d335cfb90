import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A holder that gave no sign of life for this long is dead, whatever now runs under its process id. Milliseconds. */
const SILENCE = 30_000;

/**
 * Waits until no other set-up runs in this clone, and gives the function that lets the next one in.
 * The lock is a folder with its holder's process id in it, put in place by one rename, so that it is never seen half made.
 * A dead holder's lock is taken away; should two waiters do so at once, both set up, which costs time and does no harm.
 * @param {string} path @param {(text: string) => void} tell @returns {Promise<() => void>}
 */
export async function holdLock(path, tell) {
  const mine = `${path}-${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine);
  writeFileSync(join(mine, "holder"), `${process.pid}\n`);
  let told = 0;
  while (!moved(mine, path)) {
    const holder = readHolder(path);
    if (holder !== null && !isAlive(holder)) takeAway(path, `${mine}-stale`);
    else if (holder !== null && holder.pid !== told) {
      told = holder.pid;
      tell(`another start (process ${holder.pid}) is setting up; waiting for it`);
    }
    await sleep(100);
  }
  const beat = setInterval(() => touch(join(path, "holder")), 1000);
  beat.unref();
  return () => {
    clearInterval(beat);
    if (readHolder(path)?.pid === process.pid) takeAway(path, mine);
  };
}

/** @param {string} from @param {string} to */
function moved(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST")) return false;
    throw error;
  }
}

/** @param {string} path @returns {{ pid: number, at: number } | null} */
function readHolder(path) {
  try {
    const file = join(path, "holder");
    return { at: statSync(file).mtimeMs, pid: Number(readFileSync(file, "utf8")) };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** @param {{ pid: number, at: number }} holder */
function isAlive(holder) {
  return Date.now() - holder.at <= SILENCE && isRunning(holder.pid);
}

/** True where a process with this id exists, whoever owns it. @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** @param {string} path @param {string} aside */
function takeAway(path, aside) {
  try {
    if (moved(path, aside)) rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** @param {unknown} error @param {readonly string[]} codes */
function hasCode(error, ...codes) {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

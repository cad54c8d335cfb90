import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Milliseconds after which a process of another container, which cannot be seen from here, counts as ended.
 */
const longest = 30 * 24 * 3600 * 1000;

/** Notes that this process uses the build in a folder, until it ends. */
export function useBuild(folder: string): void {
  const file = join(folder, "users", String(process.pid));
  mkdirSync(join(folder, "users"), { recursive: true });
  writeFileSync(file, processNamespace());
  process.once("exit", () => rmSync(file, { force: true }));
}

/** Whether another process uses the build in a folder. */
export function isUsed(folder: string): boolean {
  return usersOf(folder).length > 0;
}

/** The other processes that use the build in a folder. */
export function usersOf(folder: string): readonly number[] {
  const users = join(folder, "users");
  return namesIn(users)
    .filter((name) => isRunning(Number(name), join(users, name)))
    .map(Number);
}

function isRunning(pid: number, file: string): boolean {
  if (pid === process.pid) return false;
  const noted = statSync(file, { throwIfNoEntry: false });
  // The process has just ended.
  if (noted === undefined) return false;
  if (readNote(file) !== processNamespace()) return Date.now() - noted.mtimeMs < longest;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** What a process noted; nothing where it ends at this moment. */
function readNote(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** The name of what process ids count in; the same for all where the system has only one. */
function processNamespace(): string {
  return process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
}

/** The names in a folder; none where it is missing. */
export function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

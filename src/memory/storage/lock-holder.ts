import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * The process that holds the lock of a state folder, as Linux tells it; null where none does, and on other
 * systems.
 */
export function lockHolder(folder: string): number | null {
  const lock = statSync(join(folder, "lock"), { throwIfNoEntry: false });
  if (lock === undefined || !existsSync("/proc/locks")) return null;
  const lines = readFileSync("/proc/locks", "utf8").split("\n");
  const line = lines.find((text) => text.includes(" WRITE ") && text.includes(`:${lock.ino} `));
  const holder = Number(/ WRITE +(\d+) /.exec(line ?? "")?.[1] ?? 0);
  return holder > 0 ? holder : null;
}

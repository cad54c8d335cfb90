import { readFileSync } from "node:fs";

/** Resident memory that no queue, flood or slow reader may drive the daemon beyond. Megabytes. */
export const mostMemory = 400;

/** Resident memory of a process, in megabytes. */
export function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

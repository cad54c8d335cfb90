import { readFile } from "node:fs/promises";

/** Limits of a process: what the kernel calls each, what prlimit does, and the most. */
type Limits = readonly (readonly [name: string, option: string, most: number])[];

/** The limits of each process of a trial, as the kernel and prlimit call them: processor time in seconds, memory that it writes and the size of a file in bytes, processes, open files, no core dumps. A core of one byte is none, and starts no program that takes cores. */
const ofTrials: Limits = [
  ["Max cpu time", "cpu", 300],
  ["Max data size", "data", 4_294_967_296],
  ["Max processes", "nproc", 1_024],
  ["Max file size", "fsize", 2_147_483_648],
  ["Max open files", "nofile", 4_096],
  ["Max core file size", "core", 1],
];

/** The limits of each process of a server of tools, which runs as long as it is used. */
const ofServers: Limits = [
  ["Max data size", "data", 2_147_483_648],
  ["Max core file size", "core", 1],
];

/** The words that start a process of a trial within its limits, or within those of this process where they are lower: nobody but root may raise them. `limitsFile`: what `/proc/PID/limits` says of this process. */
export function withTrialLimits(limitsFile = "/proc/self/limits"): Promise<readonly string[]> {
  return withLimits(ofTrials, limitsFile);
}

/** The same for a server of tools. */
export function withServerLimits(): Promise<readonly string[]> {
  return withLimits(ofServers, "/proc/self/limits");
}

async function withLimits(limits: Limits, limitsFile: string): Promise<readonly string[]> {
  const lines = (await readFile(limitsFile, "utf8")).split("\n");
  const options = limits.map(([name, option, most]) => {
    const line = lines.find((each) => each.startsWith(name))?.slice(name.length) ?? "";
    const hard = line.trim().split(/\s+/)[1] ?? "";
    return `--${option}=${/^\d+$/.test(hard) ? Math.min(most, Number(hard)) : most}`;
  });
  return ["/usr/bin/prlimit", ...options];
}

/** What one test file took: seconds by the clock, and seconds of the CPU with those of its child processes. `file` is relative to the root. */
export type FileUsage = { readonly file: string; readonly seconds: number; readonly cpuSeconds: number };

/** The slowest files, one a line, slowest first. */
export function listSlowest(usages: readonly FileUsage[], count: number): string {
  const slowest = usages.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
  const lines = slowest.map(
    ({ file, seconds, cpuSeconds }) =>
      `${seconds.toFixed(1).padStart(7)} s ${cpuSeconds.toFixed(1).padStart(7)} s CPU  ${file}\n`,
  );
  return `slowest files:\n${lines.join("")}`;
}

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ids of the living processes below `pid`: its children, and theirs. None where there is no /proc. */
export function findDescendants(pid: number): readonly number[] {
  return followChildren([pid]).filter((id) => id !== pid);
}

/**
 * Ids of the living processes other than `pid` that hold its standard output or standard error where these
 * are sockets, as the test runner makes them, with all below `pid`.
 */
export function findHolders(pid: number): readonly number[] {
  const outputs = outputsOf(pid).filter((output) => output.startsWith("socket:"));
  const holders = listProcesses().filter((id) => outputsOf(id).some((output) => outputs.includes(output)));
  return followChildren([pid, ...holders]).filter((id) => id !== pid);
}

/** Kills processes; gives a line for each that was named, with its words. */
export function endProcesses(ids: readonly number[]): string {
  const lines = ids.map(
    (id) => `  ${id} ${read(`/proc/${id}/cmdline`).replaceAll("\0", " ").slice(0, 200)}\n`,
  );
  for (const id of ids) attempt(() => process.kill(id, "SIGKILL"), false);
  return lines.length === 0 ? "" : `Ended now:\n${lines.join("")}`;
}

function followChildren(roots: readonly number[]): readonly number[] {
  const parents = new Map(listProcesses().map((id) => [id, parentOf(id)]));
  const found = new Set(roots);
  for (const each of found) for (const [id, parent] of parents) if (parent === each) found.add(id);
  return [...found];
}

function listProcesses(): readonly number[] {
  return attempt(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The id of a process's parent: none for one that has ended and was not waited for. */
function parentOf(id: number): number | undefined {
  const parent = /^.*\) [^Z] (\d+)/s.exec(read(`/proc/${id}/stat`))?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function outputsOf(id: number): readonly string[] {
  return [1, 2].map((descriptor) => attempt(() => readlinkSync(`/proc/${id}/fd/${descriptor}`), ""));
}

function read(path: string): string {
  return attempt(() => readFileSync(path, "utf8"), "");
}

/** Processes end while they are looked at: what cannot be read of one is `otherwise`. */
function attempt<T>(what: () => T, otherwise: T): T {
  try {
    return what();
  } catch {
    return otherwise;
  }
}

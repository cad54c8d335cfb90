import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds after which a new program that does not listen yet is waited for no longer. */
const longest = 30_000;

const mark = (stateFolder: string): string => join(stateFolder, "handing-over");

/**
 * Notes that an agent hands over to the installed program, or still takes over: whoever finds no agent
 * meanwhile waits for it, and takes nothing for itself.
 */
export function markHandOver(stateFolder: string): void {
  writeFileSync(mark(stateFolder), `${process.pid}\n`, { mode: 0o600 });
}

/** The new program listens, or the hand-over failed. */
export function endHandOver(stateFolder: string): void {
  rmSync(mark(stateFolder), { force: true });
}

/**
 * Whether another process hands over at this moment. The process that takes over has the id of the one
 * before.
 */
export function isHandingOver(stateFolder: string): boolean {
  const found = readMark(stateFolder);
  return found !== null && found.pid !== process.pid && found.age < longest;
}

/** Whether this process takes over. */
export function takesOver(stateFolder: string): boolean {
  return readMark(stateFolder)?.pid === process.pid;
}

function readMark(stateFolder: string): { readonly pid: number; readonly age: number } | null {
  const file = mark(stateFolder);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return { pid: Number(readFileSync(file, "utf8")), age: Date.now() - found.mtimeMs };
}

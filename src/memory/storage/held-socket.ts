import { lstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { explainFault } from "./state-problem.ts";

const noteOf = (folder: string): string => join(folder, "lock.socket");

/**
 * Notes in a state folder where the process that holds it listens; null where it does not listen. A client
 * finds it by this, whatever its environment is. Throws a `StateProblem` where that cannot be written.
 */
export function noteHeldSocket(folder: string, socket: string | null): void {
  const note = noteOf(folder);
  try {
    if (socket === null) rmSync(note, { force: true });
    else writeFileSync(note, `${socket}\n`, { mode: 0o600 });
  } catch (error) {
    throw explainFault(error, note);
  }
}

/** Where the process that holds a state folder says that it listens; null where it does not say. */
export function heldSocket(folder: string): string | null {
  const note = noteOf(folder);
  if (lstatSync(note, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const [, socket = ""] = /^([^\n]+)\n$/.exec(readFileSync(note, "utf8")) ?? [];
  return isAbsolute(socket) ? socket : null;
}

/**
 * The socket to connect to: the noted one where a socket of this user, or of the owner of the state folder,
 * is there; else the `usual` one. Who listens there still has to prove that it knows the secret of the state.
 */
export function findHeldSocket(folder: string, usual: string): string {
  const socket = heldSocket(folder);
  return socket !== null && isOwnSocket(socket, folder) ? socket : usual;
}

function isOwnSocket(path: string, folder: string): boolean {
  try {
    const found = lstatSync(path);
    return found.isSocket() && [process.getuid?.(), statSync(folder).uid].includes(found.uid);
  } catch {
    // It is not there, or this user cannot reach it.
    return false;
  }
}

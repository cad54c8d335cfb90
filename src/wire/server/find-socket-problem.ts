import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes that `sockaddr_un` holds of a path, without the terminating zero. */
const longestPath = 107;

/** Says why nothing can listen on a socket, and what to do; null where nothing stands in its way. Changes nothing. */
export function findSocketProblem(path: string): string | null {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPath) {
    const remedy = "Choose a runtime folder with a shorter path.";
    return `The path of the socket, ${path}, has ${bytes} bytes; at most ${longestPath} are possible. ${remedy}`;
  }
  const folder = dirname(path);
  if (!existsSync(folder)) return null;
  const found = statSync(folder);
  if (!found.isDirectory()) {
    return `The socket's folder ${folder} cannot be used: it is not a folder. Move it aside.`;
  }
  const mode = found.mode & 0o777;
  if ((mode & 0o077) !== 0) {
    return `Other users can enter the socket's folder ${folder} (mode ${mode.toString(8)}). Run chmod 700 on it, or choose another runtime folder.`;
  }
  const socket = lstatSync(path, { throwIfNoEntry: false });
  if (socket === undefined || socket.isSocket()) return null;
  return `${path} exists and is not a socket. Move it aside.`;
}

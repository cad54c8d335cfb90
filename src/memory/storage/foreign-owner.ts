import { existsSync, lstatSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

/** A user of this machine. */
type User = { readonly uid: number; readonly username: string };

/**
 * Says whose a file or folder of this program is, or the nearest one that is there, and how its user gets it
 * back; null where it is theirs, where it
 * is not in a folder of the program's own name, and for root, who may use all.
 */
export function describeForeignOwner(path: string, user: User = userInfo()): string | null {
  let nearest = path;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const status = lstatSync(nearest);
  // Windows has no such numbers.
  if (user.uid <= 0 || status.uid === user.uid || !nearest.split("/").includes("passepartout")) return null;
  const folder = status.isDirectory() ? nearest : dirname(nearest);
  const word = /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  const owner = nameOf(status.uid);
  return `${nearest} belongs to ${owner}, not to ${user.username}: a command that ran as ${owner} made it. Make it yours again with: sudo chown -R ${user.username} ${word}`;
}

/** The name of a user, as Unix lists them, or else the number. */
function nameOf(uid: number): string {
  const list = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  const line = list.map((one) => one.split(":")).find(([, , id]) => id === String(uid));
  return line?.[0] ?? (uid === 0 ? "root" : `user ${uid}`);
}

import { existsSync } from "node:fs";
import { chmod, chown, stat } from "node:fs/promises";
import { errorCode } from "../files/fallible.ts";
import { isRoot } from "./mounts.ts";

/**
 * Gives a folder the group and mode of another, so that what is made in it is made as there. Says why it
 * could not, where the system forbids this process the set-group-ID bit; null where it could. `name` is
 * what the folder is called there.
 */
export async function copyAccess(from: string, to: string, name = from): Promise<string | null> {
  const { gid, mode } = await stat(from);
  const made = await stat(to);
  if (made.gid !== gid && (isRoot() || process.getgroups?.().includes(gid) === true))
    await chown(to, made.uid, gid);
  try {
    await chmod(to, mode & 0o7777);
    return null;
  } catch (fault) {
    if (errorCode(fault) !== "EPERM" || (mode & 0o6000) === 0) throw fault;
    return `${name} hands on its group to what is made in it, and the system lets this process give that bit to no copy; where the service's unit forbids it (RestrictSUIDSGID), write it again: passepartout service install`;
  }
}

const accessPrograms = { get: "/usr/bin/getfacl", set: "/usr/bin/setfacl" };
/** What is said where a list of access could not be given. */
export const notCopied = "no list of access";

/**
 * The words before a program that first give a folder the list of access of another, where that has one, and
 * start the program only if they could. The list has to be read outside of the namespaces of an overlay,
 * where every user and group is known.
 */
export function copyingLists(from: string, to: string): readonly string[] {
  if (!Object.values(accessPrograms).every((program) => existsSync(program))) return [];
  return ["/bin/sh", "-c", copyLists, "access", from, to];
}

const copyLists = `list=$(${accessPrograms.get} --absolute-names --omit-header --skip-base --numeric -- "$1" 2> /dev/null)
[ -z "$list" ] || printf '%s\\n' "$list" | ${accessPrograms.set} --set-file=- -- "$2" 2> /dev/null ||
{ echo "${notCopied}" >&2; exit 1; }
shift 2 && exec "$@"`;

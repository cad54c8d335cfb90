import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./fallible.ts";
import { namesIfThere } from "./names-if-there.ts";
import { statusIfThere } from "./status-if-there.ts";

/** Where the system lists the file systems by the id that each was given when it was made. */
const listed = "/dev/disk/by-uuid";

/** Where the system lists what is mounted, with the device and the source of each. */
const mounted = "/proc/self/mountinfo";
/** File systems of a server, or of the host of a virtual machine or container: their source is a share. */
const shares: ReadonlySet<string> = new Set(
  "nfs nfs4 cifs smb3 afs ceph lustre 9p virtiofs vboxsf prl_fs fakeowner fuse.sshfs fuse.glusterfs fuse.rclone".split(
    " ",
  ),
);
/** A source that does not say which share it is; with the letter of a drive, another disk may be there. */
const nameless = /^(?:none|drvfs|rclone|\d*|[abd-z]:.*)$/i;

/**
 * The id of the file system on a device, which another disk at the same place does not have: where the
 * system lists none, the share that it is of; null where it is none.
 */
export async function fileSystemId(
  device: number,
  folder = listed,
  mounts = mounted,
): Promise<string | null> {
  for (const name of await namesIfThere(folder)) {
    const status = await statusIfThere(join(folder, name));
    if (status?.rdev === device) return name;
  }
  return shareOn(device, mounts);
}

/** The kind and the source of the share that is mounted as a device; null where none is. */
async function shareOn(device: number, mounts: string): Promise<string | null> {
  const number = BigInt(device);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  for (const line of (await textIfThere(mounts)).split("\n")) {
    const [place = "", rest = ""] = line.split(" - ");
    const [kind = "", source = ""] = rest.split(" ");
    if (place.split(" ")[2] !== `${major}:${minor}`) continue;
    return shares.has(kind) && source !== kind && !nameless.test(source) ? `${kind}:${source}` : null;
  }
  return null;
}

async function textIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch (fault) {
    if (errorCode(fault) === "ENOENT") return "";
    throw fault;
  }
}

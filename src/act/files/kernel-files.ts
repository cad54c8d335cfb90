import { realpath, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/**
 * File systems that show the kernel itself, by the numbers of `linux/magic.h`. Their entries have no
 * contents of their own, and reading them may hang or have effects.
 */
const kernelFileSystems: ReadonlySet<number> = new Set([
  0x00009fa0, // proc
  0x62656572, // sysfs
  0x62656570, // configfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0xf97cff8c, // selinuxfs
  0x43415d53, // smackfs
  0x5a3c69f0, // apparmorfs
  0x0027e0eb, // cgroup
  0x63677270, // cgroup2
  0xcafe4a11, // bpf
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
  0x65735543, // fusectl
  0x19800202, // mqueue
  0x42494e4d, // binfmt_misc
  0x6e736673, // nsfs
  0x50495045, // pipefs
  0x534f434b, // sockfs
  0x00001cd1, // devpts
  0x67596969, // rpc_pipefs
  0x6e667364, // nfsd
  0x07655821, // resctrl
]);

/**
 * Whether a path is in a virtual file system of the kernel, wherever that is mounted. What is not there is
 * where its nearest folder is.
 */
export async function isKernelFile(path: string): Promise<boolean> {
  try {
    return kernelFileSystems.has((await statfs(bytesOfPath(path))).type);
  } catch (fault) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes(errorCode(fault));
    if (!isMissing || path === dirname(path)) return false;
    return isKernelFile(dirname(path));
  }
}

/**
 * Whether a folder, by whatever name, is one in which the kernel shows each process itself: what is there
 * for this one is there for no command.
 */
export async function showsOwnProcess(folder: string): Promise<boolean> {
  const real = await realpath(bytesOfPath(folder)).catch(() => "");
  return isInside(`/proc/${process.pid}`, String(real));
}

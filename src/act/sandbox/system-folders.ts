import { lstat, readlink } from "node:fs/promises";
import { isInside } from "../../text/is-inside.ts";
import { findShownSettings } from "./shown-settings.ts";

const trees = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const settings = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/passwd",
  "/etc/group",
  "/etc/nsswitch.conf",
  "/etc/localtime",
  "/etc/timezone",
  "/etc/locale.alias",
  "/etc/magic",
  "/etc/os-release",
  "/etc/debian_version",
];

/** The system folders. Links stay links (`/bin` links to `/usr/bin` on most machines). */
export async function readSystem(): Promise<readonly string[]> {
  const found = await Promise.all(
    trees.map(async (path) => {
      const status = await lstat(path).catch(() => null);
      if (status === null) return [];
      return status.isSymbolicLink() ? ["--symlink", await readlink(path), path] : ["--ro-bind", path, path];
    }),
  );
  const shown = [...settings, ...(await findShownSettings())];
  return [...found.flat(), ...shown.flatMap((path) => ["--ro-bind-try", path, path]), ...hostsWords];
}

/** The words by which bubblewrap makes `/etc/hosts` of what `withHosts` gives it. */
const hostsWords = ["--ro-bind-data", "7", "/etc/hosts"];

/**
 * The words before a program that give it the names of a machine without any of its own on descriptor 7: the
 * real file may name what is in the owner's network.
 */
export const withHosts: readonly string[] = [
  "/bin/sh",
  "-c",
  `exec 7<<end
127.0.0.1 localhost
::1 localhost ip6-localhost ip6-loopback
end
exec "$@"`,
  "hosts",
];

/** Whether every sandbox shows a path as the system's. */
export function isShownSystem(path: string): boolean {
  return trees.some((each) => isInside(each, path));
}

/** Whether a folder is one of the system, or holds one that a sandbox shows: nothing else can stand there. */
export function isSystemPlace(folder: string): boolean {
  const kernel = ["/proc", "/sys", "/dev", "/run", "/var/run"];
  const isKernel = kernel.some((each) => isInside(each, folder)) && !isInside("/dev/shm", folder);
  const isShown = [...trees, ...settings, ...kernel].some((each) => isInside(folder, each));
  return isKernel || isShown || trees.some((each) => isInside(each, folder));
}

import { statSync } from "node:fs";

/**
 * Says that other users can open a backup, as on a disk that keeps no modes (NTFS, FAT); null where they
 * cannot.
 */
export function describeExposure(file: string): string | null {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return null;
  return `Other users of this machine can open it: its disk gives files the mode ${mode.toString(8).padStart(3, "0")}. Mount that disk with umask=077, or keep the backup elsewhere.`;
}

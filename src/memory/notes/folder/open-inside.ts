import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, lstat, readlink, realpath } from "node:fs/promises";
import { isInside } from "../../../text/is-inside.ts";
import { orNull, refusedAsNull } from "./or-null.ts";

/** Opens a file for reading; null where what was opened lies in none of the folders, also if a link took its place meanwhile. Throws where it cannot be opened. */
export function openInside(path: string, folders: readonly string[]): number | null {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const place = placeOf(descriptor, path);
    if (place !== null && isInsideReal(folders, place)) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return null;
}

/** The same for a file that is open, while other tasks run. */
export async function isOpenInside(
  file: FileHandle,
  path: string,
  folders: readonly string[],
): Promise<boolean> {
  const place =
    (await refusedAsNull(readlink(`/proc/self/fd/${file.fd}`))) ?? (await placeByIdentity(file, path));
  if (place === null || folders.some((folder) => isInside(folder, place))) return place !== null;
  const real = await Promise.all(folders.map((folder) => refusedAsNull(realpath(folder))));
  return real.some((folder) => folder !== null && isInside(folder, place));
}

async function placeByIdentity(file: FileHandle, path: string): Promise<string | null> {
  const real = await realpath(path);
  const [there, here] = [await lstat(real, { bigint: true }), await file.stat({ bigint: true })];
  return there.dev === here.dev && there.ino === here.ino ? real : null;
}

/** True if a real path is in one of some folders, which may be links themselves. */
export function isInsideReal(folders: readonly string[], real: string): boolean {
  return (
    folders.some((folder) => isInside(folder, real)) ||
    folders.some((folder) => isInside(orNull(() => realpathSync(folder)) ?? folder, real))
  );
}

/** The real path of an open file, from the kernel where it tells; null where the path leads to another file by now. */
function placeOf(descriptor: number, path: string): string | null {
  const told = orNull(() => readlinkSync(`/proc/self/fd/${descriptor}`));
  if (told !== null) return told;
  const real = realpathSync(path);
  const [there, here] = [lstatSync(real, { bigint: true }), fstatSync(descriptor, { bigint: true })];
  return there.dev === here.dev && there.ino === here.ino ? real : null;
}

import { execFile } from "node:child_process";
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { systemPath } from "../../text/system-programs.ts";
import type { FileContents } from "./contents.ts";
import { errorCode } from "./fallible.ts";

/** Gives a draft to the owner and group of a file; false where the system does not let this user. */
export async function giveTo(handle: FileHandle, { owner, group }: FileContents): Promise<boolean> {
  const made = await handle.stat();
  if (made.uid === owner && made.gid === group) return true;
  try {
    await handle.chown(owner, group);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
    return false;
  }
}

/**
 * Copies extended attributes and access lists with the system's own `cp`, because Node cannot. If `cp`
 * fails, the file has none. It writes to the open draft, whatever is at the draft's name by then.
 */
export async function copyAttributes(from: string, to: FileHandle): Promise<void> {
  if (process.platform !== "linux") return;
  const own = `/proc/${process.pid}`;
  const paths = [from.replace(/^\/proc\/self(?=\/)/, own), `${own}/fd/${to.fd}`];
  const words = ["--attributes-only", "--preserve=mode,xattr", "--", ...paths];
  await new Promise<void>((resolve) => {
    execFile("cp", words, { env: { PATH: systemPath }, timeout: 10_000 }, () => resolve());
  });
}

/**
 * Writes into a file that belongs to somebody else: a new one in its place would belong to this user. Where
 * the disk has no room for that, the file gets its contents back. Only a kill in between leaves a part; the
 * contents from before are kept for undo.
 */
export function writeInPlace(
  name: string,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): void {
  const file = openSync(name, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    try {
      overwrite(file, after);
    } catch (fault) {
      overwrite(file, before);
      throw fault;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces the contents of an open file. */
export function overwrite(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
}

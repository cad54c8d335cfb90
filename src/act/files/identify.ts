import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { errorCode } from "./fallible.ts";
import { fileSystemId } from "./file-system-id.ts";
import { isKernelFile } from "./kernel-files.ts";
import { followLinks } from "./real-path.ts";

/** The maximum size of a file whose bytes are digested. A larger one is identified by its attributes. */
const maxDigestBytes = 8 * 1024 * 1024;

/**
 * What is at a real path: a folder by device, inode and birth (the id of the file system, or the share,
 * where that says no birth), a regular file by its bytes. `text` is the start of a file that was read.
 */
export type Identified = {
  readonly stamp: string;
  readonly kind: "folder" | "file";
  readonly bytes: Uint8Array | null;
};

/** Identifies a folder by what it is, not by its path; null if there is none. Another folder of the same name has another identity. */
export async function identifyFolder(path: string): Promise<string | null> {
  const found = await identify(path, { mayRead: false });
  return found?.kind === "folder" ? found.stamp : null;
}

/**
 * The same; null also where the file system says no birth and has no id: a folder of another disk at that
 * place would have the same identity.
 */
export async function identifyFolderForSure(path: string): Promise<string | null> {
  const identity = await identifyFolder(path);
  return identity === null || isUnsure(identity) ? null : identity;
}

/** Whether an identity of a folder is bound to neither a birth nor the id of a file system. */
export function isUnsure(identity: string): boolean {
  return identity.endsWith(" 0");
}

/** Whether there is a folder at a path, and no link on the way to it. */
export async function isRealFolder(path: string): Promise<boolean> {
  return (await followLinks(path)).links.length === 0 && (await identifyFolder(path)) !== null;
}

/** Identifies the folder or regular file at a real path; null for anything else. Without `mayRead` a file is identified by its attributes, whose time of change nobody can set. */
export async function identify(
  path: string,
  { mayRead }: { readonly mayRead: boolean },
): Promise<Identified | null> {
  try {
    const found = await lstat(path, { bigint: true });
    const place = `${found.dev} ${found.ino}`;
    if (found.isDirectory()) {
      const id = found.birthtimeNs === 0n ? await fileSystemId(Number(found.dev)) : null;
      return { stamp: `folder ${place} ${id ?? found.birthtimeNs}`, kind: "folder", bytes: null };
    }
    if (!found.isFile() || (await isKernelFile(path))) return null;
    const attributes = `file ${place} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    if (!mayRead || found.size > maxDigestBytes) return { stamp: attributes, kind: "file", bytes: null };
    const bytes = await readBytes(path);
    if (bytes === null) return { stamp: attributes, kind: "file", bytes: null };
    // Computed by another thread, so that large files do not hold the event loop.
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    return { stamp: `sha256 ${digest}`, kind: "file", bytes };
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return null;
  }
}

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    return status.isFile() && status.size <= maxDigestBytes ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

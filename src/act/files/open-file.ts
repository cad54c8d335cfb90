import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { done, errorCode, type Fallible, problem } from "./fallible.ts";
import { isKernelFile } from "./kernel-files.ts";

/** The file that a path led to when it was prepared; null if there was none. */
export type FileIdentity = { readonly device: bigint; readonly inode: bigint } | null;

/** An open directory handle; operations on it are immune to renames. */
export type FolderHandle = AsyncDisposable & {
  readonly path: string;
  /** A path to a name in this folder. On Linux it goes through the descriptor, so replacing a parent has no effect. */
  readonly inside: (name: string) => string;
  readonly flush: () => Promise<void>;
};

const readOnlyFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens the folder that was judged. A path that now leads elsewhere is refused. */
export async function openFolder(path: string, via = path): Promise<Fallible<FolderHandle>> {
  const handle = await open(via, readOnlyFlags | constants.O_DIRECTORY);
  const where = await placeOf(handle, path);
  if (where !== path) {
    await handle.close();
    return changedSinceJudged(path);
  }
  const descriptor = `/proc/self/fd/${handle.fd}`;
  const held = await descriptorPath(handle);
  return done({
    path,
    inside: (name) => (held === null ? `${path === "/" ? "" : path}/${name}` : `${descriptor}/${name}`),
    flush: () => handle.sync(),
    [Symbol.asyncDispose]: () => handle.close(),
  });
}

/** Times that a file is opened again because another one took its place while it was opened. */
const mostOpenings = 50;

/** Opens the regular file that was judged, for reading. Pipes, devices, sockets and system entries are refused at once. */
export async function openRegularFile(
  path: string,
  judged?: FileIdentity,
  via = path,
): Promise<Fallible<FileHandle>> {
  if (await isKernelFile(path)) return notAFile(path);
  for (let openings = 0; ; openings += 1) {
    const found = await lstat(via);
    if (found.isDirectory())
      return problem("is-a-folder", `${path}: this is a folder. Use list-files, or name a file in it.`);
    if (found.isSymbolicLink()) return changedSinceJudged(path);
    if (!found.isFile()) return notAFile(path);
    const handle = await open(via, readOnlyFlags);
    const opened = await handle.stat({ bigint: true });
    const other =
      judged !== undefined &&
      judged !== null &&
      (opened.dev !== judged.device || opened.ino !== judged.inode);
    const place = await placeOf(handle, path);
    if (opened.isFile() && !other && place === path) return done(handle);
    await handle.close();
    if (!opened.isFile()) return notAFile(path);
    const isReplaced = place === null || place === `${path} (deleted)`;
    if (other || !isReplaced || openings >= mostOpenings) return changedSinceJudged(path);
  }
}

function notAFile(path: string) {
  return problem(
    "special-file",
    `${path}: this is a device, pipe, socket or system entry, not a file. Nothing was done.`,
  );
}

/** The file that is at a real path now. */
export async function readFileIdentity(path: string): Promise<FileIdentity> {
  try {
    const found = await lstat(path, { bigint: true });
    return { device: found.dev, inode: found.ino };
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return null;
  }
}

function changedSinceJudged(path: string) {
  return problem(
    "changed-since-judged",
    `${path}: this is no longer the file or folder that was judged. Nothing was done; propose it again.`,
  );
}

async function placeOf(handle: FileHandle, path: string): Promise<string | null> {
  const held = await descriptorPath(handle);
  if (held !== null) return held;
  const real = await realpath(path);
  const [there, here] = await Promise.all([lstat(real, { bigint: true }), handle.stat({ bigint: true })]);
  if (there.dev !== here.dev || there.ino !== here.ino) return null;
  return basename(real) === basename(path) && dirname(real) === dirname(path) ? path : null;
}

async function descriptorPath(handle: FileHandle): Promise<string | null> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, open, readlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode, programErrorWords } from "../files/fallible.ts";

/** A name in an open folder: it means the same entry, whatever becomes of the path of the folder. */
export type HeldPlace = {
  /** The descriptor of the folder. */
  readonly folder: number;
  readonly name: string;
  /** The path by which this process, and no other, opens it. */
  readonly path: string;
};

/** A folder that is held open. */
export type HeldFolder = AsyncDisposable & {
  readonly descriptor: number;
  readonly at: (name: string) => HeldPlace;
};

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Holds a folder open; null where nothing, or no folder, has that path, or where a link in the path leads
 * elsewhere.
 */
export async function holdFolder(path: string): Promise<HeldFolder | null> {
  const handle = await open(bytesOfPath(path), flags).catch(nullWhereGone);
  if (handle === null) return null;
  const held = await readlink(`/proc/self/fd/${handle.fd}`, "buffer");
  if (!held.equals(Buffer.from(bytesOfPath(path)))) {
    await handle.close();
    return null;
  }
  return heldBy(handle);
}

function heldBy(handle: FileHandle): HeldFolder {
  const { fd } = handle;
  return {
    descriptor: fd,
    at: (name) => ({ folder: fd, name, path: join("/proc/self/fd", String(fd), name) }),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Holds a folder that may be reached by links: one of the agent's own. */
export async function holdOwnFolder(path: string): Promise<HeldFolder> {
  return heldBy(await open(bytesOfPath(path), constants.O_RDONLY | constants.O_DIRECTORY));
}

/** Holds the folder around a path of the agent's own. */
export async function holdOwnPlace(path: string): Promise<AsyncDisposable & HeldPlace> {
  const folder = await holdOwnFolder(dirname(path));
  return { ...folder.at(basename(path)), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

function nullWhereGone(fault: unknown): null {
  if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(fault))) return null;
  throw fault;
}

/**
 * Copies a file, link or whole folder with owner, modes, lists of access, links, times and holes, or with
 * what is named of these; says why where that did not come to its end.
 */
export function copyHeld(
  from: HeldPlace,
  to: HeldPlace,
  preserved: readonly string[] | "all" = "all",
): Promise<string | null> {
  const what = preserved === "all" ? ["-a"] : ["-dR", `--preserve=${preserved.join(",")}`];
  return runOn([from, to], ["/usr/bin/cp", ...what, "--sparse=always", "-T", "--"]);
}

/**
 * Copies entries of a folder, by their names, into another one; those that cannot be are not there. `how`:
 * what becomes of holes; where they stay, a disk that can lets both share their bytes.
 */
export async function copyEach(
  names: readonly string[],
  from: HeldFolder,
  to: HeldFolder,
  how: "--sparse=always" | "--reflink=auto" = "--sparse=always",
): Promise<void> {
  if (names.length === 0) return;
  const target = `/proc/self/fd/${firstDescriptor}/.`;
  const words = ["/usr/bin/cp", "-a", how, "-t", target, "--"];
  await runOn(names.map(from.at), words, [to.descriptor]);
}

/**
 * Removes what is at a place, with everything below, however deep it is, and also below folders that are
 * closed.
 */
export async function removeHeld(place: HeldPlace): Promise<void> {
  if (await unlinkHeld(place)) return;
  const remove = ["/bin/rm", "-rf", "--"];
  if ((await runOn([place], remove)) === null) return;
  const opened = ["-type", "d", "!", "-perm", "-0700", "-execdir", "/bin/chmod", "u+rwx", "--", "{}", ";"];
  await runOn([place], ["-I", "@path@", "/usr/bin/find", "@path@", ...opened]);
  const problem = await runOn([place], remove);
  if (problem !== null) throw new Error(`${meantBy(place.name)} could not be removed: ${problem}`);
}

/** Removes what is no folder; false for a folder. */
async function unlinkHeld({ path }: HeldPlace): Promise<boolean> {
  try {
    await unlink(bytesOfPath(path));
  } catch (fault) {
    if (errorCode(fault) === "EISDIR") return false;
    if (errorCode(fault) !== "ENOENT") throw fault;
  }
  return true;
}

/** The descriptor that a program of the system has for the first folder that it is given. */
const firstDescriptor = 3;

const draftPrefix = ".passepartout-part-";

/** The name under which something lies beside its place, while it is copied there or removed. */
export function draftName(name: string): string {
  return `${draftPrefix}${name.toWellFormed().slice(0, 60)}`;
}

/** What a name means to a person: that of the file itself for a draft. */
function meantBy(name: string): string {
  return name.replace(draftPrefix, "").toWellFormed();
}

/**
 * Runs a program on places, which it reaches by descriptors of its own: those of this process mean nothing
 * to it. `xargs` brings names that are not UTF-8. `first`: descriptors that it gets before those of the
 * places.
 */
async function runOn(
  places: readonly HeldPlace[],
  words: readonly string[],
  first: readonly number[] = [],
): Promise<string | null> {
  const descriptors = [...new Set([...first, ...places.map(({ folder }) => folder)])];
  const child = spawn("/usr/bin/xargs", ["-0", ...words], {
    stdio: ["pipe", "ignore", "pipe", ...descriptors],
    env: {},
  });
  const said: Buffer[] = [];
  child.stderr?.on("data", (bytes: Buffer) => said.push(bytes));
  child.stdin?.on("error", () => child.kill("SIGKILL"));
  for (const { folder, name } of places) {
    child.stdin?.write(`/proc/self/fd/${firstDescriptor + descriptors.indexOf(folder)}/`);
    child.stdin?.write(bytesOfPath(name));
    child.stdin?.write("\0");
  }
  child.stdin?.end();
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", resolve);
  return (await promise) === 0 ? null : programErrorWords(Buffer.concat(said).toString());
}

import { open, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { indexObjects } from "./index-entries.ts";

/** What would come to a path, from a place where it is kept. */
type Coming = { readonly path: string; readonly incoming: string };

/**
 * The first object that what comes would name, that what is there does not name, and that is neither in the
 * repository nor comes with the rest: git removes what nothing named for a while. Null where all are there.
 */
export async function missingObject(
  coming: Coming,
  { repository, objects }: { readonly repository: string; readonly objects: readonly Coming[] },
): Promise<string | null> {
  const stores = await storesOf(join(repository, "objects"));
  for await (const { inside, status } of walkEntries(coming.incoming)) {
    const path = join(coming.path, inside);
    if (!status.isFile() || !namesObjects(repository, path)) continue;
    const isIndex = basename(path) === "index";
    if (isIndex && (await isFetchedLater(stores))) continue;
    const there = new Set(await idsIn(path));
    for (const id of new Set(await idsIn(join(coming.incoming, inside)))) {
      if (there.has(id) || isBuiltIn(id)) continue;
      if (!(await isIn(stores, id)) && !(await comes(objects, id))) return id;
    }
  }
  return null;
}

/** Whether git takes names of objects from a file of a repository. */
export function namesObjects(repository: string, path: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?(?:[A-Z_]*HEAD|(?:shared)?index[.0-9a-f]*|packed-refs|(?:refs|logs)\/.+)$/.test(
    relative(repository, path),
  );
}

/**
 * A line of a log begins with two names of objects, any other with one; what words say after them names
 * none.
 */
const namesInLine = /^\^?([0-9a-f]{64}|[0-9a-f]{40})(?: ([0-9a-f]{64}|[0-9a-f]{40}))?(?=\s|$)/gm;

/** The names of objects in a file of a repository that names some. */
export async function idsIn(path: string): Promise<readonly string[]> {
  if ((await statusOf(path))?.isFile() !== true) return [];
  const bytes = await readFile(bytesOfPath(path));
  if (/^(?:index|sharedindex\.[0-9a-f]+)$/.test(basename(path))) return indexObjects(bytes);
  return [...bytes.toString("latin1").matchAll(namesInLine)].flatMap(([, one = "", two = ""]) =>
    two === "" ? [one] : [one, two],
  );
}

/** Stands for no object, or is the empty file, which git knows without keeping it. */
function isBuiltIn(id: string): boolean {
  return (
    /^0+$/.test(id) ||
    id === "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" ||
    id === "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
  );
}

/** Whether an object is in a repository, or in one that it borrows from. */
export async function holdsObject(repository: string, id: string): Promise<boolean> {
  return isIn(await storesOf(join(repository, "objects")), id);
}

/** The folder of objects of a repository, and those that it borrows from. */
export async function storesOf(objects: string): Promise<readonly string[]> {
  const stores = [objects];
  for (const store of stores) {
    const list = join(store, "info/alternates");
    if ((await statusOf(list))?.isFile() !== true) continue;
    for (const line of (await readFile(list, "utf8")).split("\n")) {
      const path = line.startsWith("/") ? line : join(store, line);
      if (line !== "" && !line.startsWith("#") && !stores.includes(path)) stores.push(path);
    }
  }
  return stores;
}

/** A clone without the contents of files fetches them when it needs them. */
async function isFetchedLater(stores: readonly string[]): Promise<boolean> {
  for (const store of stores)
    if ((await namesIfThere(join(store, "pack"))).some((name) => name.endsWith(".promisor"))) return true;
  return false;
}

async function isIn(stores: readonly string[], id: string): Promise<boolean> {
  for (const store of stores) {
    if ((await statusOf(join(store, looseName(id)))) !== null) return true;
    for (const name of await namesIfThere(join(store, "pack")))
      if (name.endsWith(".idx") && (await isListed(join(store, "pack", name), id))) return true;
  }
  return false;
}

async function comes(objects: readonly Coming[], id: string): Promise<boolean> {
  for (const { path, incoming } of objects)
    for await (const { inside, status } of walkEntries(incoming)) {
      const name = join(path, inside);
      if (!status.isFile()) continue;
      if (name.endsWith(`/${looseName(id)}`)) return true;
      if (name.endsWith(".idx") && (await isListed(join(incoming, inside), id))) return true;
    }
  return false;
}

export function looseName(id: string): string {
  return `${id.slice(0, 2)}/${id.slice(2)}`;
}

/**
 * Whether the index of a pack lists an object: its sorted names, after how many there are up to each first
 * byte (gitformat-pack(5)).
 */
async function isListed(index: string, id: string): Promise<boolean> {
  if ((await statusOf(index))?.isFile() !== true) return false;
  await using file = await open(bytesOfPath(index));
  const read = async (at: number, length: number): Promise<Buffer> =>
    (await file.read(Buffer.alloc(length), 0, length, at)).buffer;
  const isNew = (await read(0, 4)).toString("hex") === "ff744f63";
  const [start, before, bytes] = [isNew ? 8 : 0, isNew ? 0 : 4, id.length / 2];
  const counts = await read(start, 1024);
  const first = Number.parseInt(id.slice(0, 2), 16);
  const from = first === 0 ? 0 : counts.readUInt32BE((first - 1) * 4);
  const length = (before + bytes) * (counts.readUInt32BE(first * 4) - from);
  if (length <= 0) return false;
  const names = await read(start + 1024 + from * (before + bytes), length);
  for (let at = before; at < names.length; at += before + bytes)
    if (names.toString("hex", at, at + bytes) === id) return true;
  return false;
}

import { createHash } from "node:crypto";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { ifThere, mostObjects } from "./git-objects.ts";

/** What a repository kept at one time: its packs, as one text, and the names of its loose objects. */
export type ObjectListing = { readonly packs: string; readonly loose: ReadonlySet<string> };

/** An object with its type: a blob, a tree, a commit or a tag. */
export type LooseObject = { readonly id: string; readonly type: string; readonly bytes: Buffer };

/** Bytes. Larger ones are left to git. */
const largest = 2_097_152;
/** Of more objects git reads each faster. */
const mostRead = 200;
/** Bytes that each object of a pack takes at least in the index of the pack. */
const leastInIndex = 24;

const unpack = promisify(inflate);

/**
 * Lists what a repository keeps; null where it has so many objects that not all are looked at, where others
 * lend it theirs, and where it cannot be listed.
 */
export async function listObjects(repository: string): Promise<ObjectListing | null> {
  const objects = join(repository, "objects");
  try {
    if ((await namesIn(join(objects, "info"))).includes("alternates")) return null;
    const pack = join(objects, "pack");
    const packs: string[] = [];
    let packed = 0;
    for (const name of (await namesIn(pack)).toSorted()) {
      const { dev, ino, size, ctimeNs } = await stat(join(pack, name), { bigint: true });
      packs.push(`${name} ${dev} ${ino} ${size} ${ctimeNs}`);
      if (name.endsWith(".idx")) packed += Number(size) / leastInIndex;
    }
    const loose = new Set<string>();
    for (const start of await namesIn(objects)) {
      if (!/^[0-9a-f]{2}$/.test(start)) continue;
      for (const rest of await namesIn(join(objects, start)))
        if (/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(rest)) loose.add(`${start}${rest}`);
      if (loose.size > mostObjects) return null;
    }
    if (loose.size + packed > mostObjects) return null;
    return { packs: packs.join("\n"), loose };
  } catch (fault) {
    if (codeOf(fault) === "") throw fault;
    return null;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((fault: unknown) => {
    if (codeOf(fault) !== "ENOENT") throw fault;
    return [];
  });
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && "code" in fault ? String(fault.code) : "";
}

/**
 * The objects that came to a repository since an earlier listing. Null where only git can say: packs came or
 * went, there are many, or a file is large or holds no object of its name.
 */
export async function readAdded(
  repository: string,
  before: ObjectListing | null,
  now: ObjectListing | null,
): Promise<readonly LooseObject[] | null> {
  if (before === null || now === null || before.packs !== now.packs) return null;
  const added = now.loose.difference(before.loose);
  if (added.size > mostRead) return null;
  const found: LooseObject[] = [];
  for (const id of added) {
    const object = await readLoose(looseFile(repository, id), id);
    if (object === null) return null;
    found.push(object);
  }
  return found;
}

/** The file of an object that is in no pack. */
export function looseFile(repository: string, id: string): string {
  return join(repository, "objects", id.slice(0, 2), id.slice(2));
}

/** The object that a file holds; null where it holds none of that name, or a large one. */
export async function readLoose(file: string, id: string): Promise<LooseObject | null> {
  const status = await ifThere(lstat(file), null);
  if (status?.isFile() !== true || status.size > largest) return null;
  const packed = await ifThere(readFile(file), null);
  const whole = packed === null ? null : await unpack(packed, { maxOutputLength: largest }).catch(() => null);
  if (whole === null) return null;
  const algorithm = id.length === 64 ? "sha256" : "sha1";
  if (createHash(algorithm).update(whole).digest("hex") !== id) return null;
  const [header = "", type = "", size] = /^([a-z]+) (\d+)\0/.exec(whole.toString("latin1", 0, 40)) ?? [];
  const bytes = whole.subarray(header.length);
  return Number(size) === bytes.length ? { id, type, bytes } : null;
}

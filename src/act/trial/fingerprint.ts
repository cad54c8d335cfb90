import { createHash, type Hash } from "node:crypto";
import {
  type BigIntStats,
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { indexEntries } from "./index-entries.ts";

/** Where nothing is. */
export const nothing = "nothing";

/**
 * Of so many files at most the contents count, and of these so many bytes in all; of others size and time.
 * The number of a file never counts: a copy, which is what comes back from another file system, has another
 * one.
 */
const read = { files: 5_000, bytes: 256_000_000n };

/** Bytes that are read at once. */
const piece = 1_000_000n;

/** What is at a path, as a short text that changes when somebody changes it: the kind and mode of each entry below, and what files hold and links say. */
export async function fingerprintOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  let [entries, files, bytes] = [0, 0, 0n];
  for await (const { inside, status } of walkEntries(path)) {
    entries += 1;
    hash.update(`${JSON.stringify(inside)} ${status.mode} `);
    const place = bytesOfPath(join(path, inside));
    if (status.isSymbolicLink()) hash.update(readlinkSync(place, "buffer"));
    if (status.isFile()) {
      files += 1;
      bytes += status.size;
      const isRead =
        files <= read.files && bytes <= read.bytes && (await hashContents(hash, place, status.size));
      if (!isRead) hash.update(`${status.size} ${status.mtimeNs}`);
    }
    hash.update("\n");
  }
  return entries === 0 ? nothing : hash.digest("hex");
}

/** Adds what a file holds; false where this user may not read it. */
async function hashContents(hash: Hash, place: string | Buffer, size: bigint): Promise<boolean> {
  try {
    if (size <= piece) hash.update(heldIn(readFileSync(place)));
    else
      for await (const held of createReadStream(place, { highWaterMark: Number(piece) }))
        hash.update(Buffer.from(held));
    return true;
  } catch (fault) {
    if (["EACCES", "EPERM"].includes(errorCode(fault))) return false;
    throw fault;
  }
}

/** What a file holds; of an index of git what it says, since `git status` alone writes it anew. */
function heldIn(bytes: Buffer): Buffer {
  return indexEntries(bytes) ?? bytes;
}

/** The first path at or below a path that changed after a time, in nanoseconds; null if none did. */
export async function changedAfter(path: string, time: bigint): Promise<string | null> {
  for await (const { inside, status } of walkEntries(path))
    if (status.ctimeNs > time) return join(path, inside);
  return null;
}

type Entry = { readonly inside: string; readonly status: BigIntStats };

/** Entries between which other work gets its turn. */
const atOnce = 200;

/** The entries at and below a path, in an order that depends on their names alone. Other work gets its turn meanwhile. */
export async function* walkEntries(path: string): AsyncGenerator<Entry> {
  const waiting = [""];
  for (const [index, inside] of waiting.entries()) {
    if (index % atOnce === 0) await setImmediate();
    const place = bytesOfPath(join(path, inside));
    const status = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (status === undefined) continue;
    yield { inside, status };
    if (!status.isDirectory()) continue;
    const names = readdirSync(place, { encoding: "buffer" }).map(textOfName).sort();
    pushAll(
      waiting,
      names.map((name) => join(inside, name)),
    );
  }
}

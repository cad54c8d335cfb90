import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import type { Difference } from "./difference.ts";
import { fingerprintOf, walkEntries } from "./fingerprint.ts";

/**
 * The SHA-256 of all that a difference would leave, and of what that would take the place of, without times:
 * equal for equal changes of equal files, also of another trial.
 */
export async function digestOfDifference(difference: Difference): Promise<string> {
  const { exchanges, modes, times, links, attributes, access, unheld } = difference;
  const hash = createHash("sha256");
  for (const { path, was, incoming, becomes } of exchanges) {
    const lost = was === null ? null : await fingerprintOf(path);
    hash.update(`${JSON.stringify([path, was, becomes, lost])}\n`);
    if (incoming === null) continue;
    for await (const { inside, status } of walkEntries(incoming)) {
      const place = bytesOfPath(join(incoming, inside));
      hash.update(`${JSON.stringify(inside)} ${status.mode} ${status.isFile() ? status.size : ""}\n`);
      if (status.isSymbolicLink()) hash.update(readlinkSync(place, "buffer"));
      if (status.isFile()) await hashFile(hash, place, status.size);
    }
  }
  const attached = [...attributes].map(([path, each]) => [path, [...each].sort()]).sort();
  const timed = times.map(({ path }) => path);
  hash.update(JSON.stringify([modes, [...access], [...unheld], timed, links, attached]));
  return hash.digest("hex");
}

const pieceBytes = 1_048_576n;

/** Other work gets its turn between the pieces of a large file. */
async function hashFile(hash: Hash, place: string | Buffer, bytes: bigint): Promise<void> {
  if (bytes === 0n) return;
  const file = openSync(place, "r");
  try {
    const piece = Buffer.allocUnsafe(Number(bytes < pieceBytes ? bytes : pieceBytes));
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) {
      hash.update(piece.subarray(0, size));
      if (bytes > pieceBytes) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

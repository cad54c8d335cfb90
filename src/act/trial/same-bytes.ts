import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Bytes of each file that are read at once. */
const pieceLength = 1_048_576;

/** Whether two files hold the same bytes. They may be of any size: they are read piece by piece. */
export async function haveSameBytes(one: string, other: string): Promise<boolean> {
  await using left = await open(bytesOfPath(one), readFlags);
  await using right = await open(bytesOfPath(other), readFlags);
  for (let from = 0; ; from += pieceLength) {
    const [mine, theirs] = await Promise.all([pieceAt(left, from), pieceAt(right, from)]);
    if (!mine.equals(theirs)) return false;
    if (mine.length < pieceLength) return true;
  }
}

async function pieceAt(file: FileHandle, from: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceLength);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, length, pieceLength - length, from + length);
    length += bytesRead;
    if (bytesRead === 0 || length === pieceLength) return piece.subarray(0, length);
  }
}

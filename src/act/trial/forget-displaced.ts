import { chmod, open, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { greatest } from "../../text/lists.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { readSet } from "./set-files.ts";

/** Deletes what commands, and undos of them, displaced of a file, in a folder of sets; counts the copies. No undo brings them back. */
export async function forgetDisplaced(sets: string, file: string): Promise<number> {
  let count = 0;
  for (const name of await namesIfThere(sets)) {
    const set = await readSet(join(sets, name));
    for (const { path, aside } of set?.exchanges ?? []) {
      if (aside !== null && isInside(path, file) && (await erase(join(sets, aside, relative(path, file)))))
        count += 1;
    }
  }
  return count;
}

/** Deletes the files that commands, and undos of them, displaced and that hold one of some texts as it is; counts them. No undo brings them back. */
export async function forgetDisplacedTexts(sets: string, texts: readonly string[]): Promise<number> {
  const needles = [...new Set(texts)].filter((text) => text !== "").map((text) => Buffer.from(text));
  if (needles.length === 0) return 0;
  let count = 0;
  for (const name of await namesIfThere(sets)) {
    const set = await readSet(join(sets, name));
    for (const { aside } of set?.exchanges ?? []) {
      const root = aside === null ? null : join(sets, aside);
      if (root === null || (await statusOf(root)) === null) continue;
      const held: string[] = [];
      for await (const { inside, status } of walkEntries(root)) {
        const path = join(root, inside);
        if (status.isFile() && (await holdsOneOf(path, needles))) held.push(path);
      }
      for (const path of held) if (await erase(path)) count += 1;
    }
  }
  return count;
}

/** Reads a file piece by piece; of each piece the next sees as much as the longest text may need. */
async function holdsOneOf(path: string, needles: readonly Buffer[]): Promise<boolean> {
  const overlap = greatest(needles.map(({ length }) => length)) - 1;
  const buffer = Buffer.allocUnsafe(1_048_576 + overlap);
  await using handle = await open(bytesOfPath(path), "r");
  let kept = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, kept, buffer.length - kept, null);
    const piece = buffer.subarray(0, kept + bytesRead);
    if (needles.some((needle) => piece.includes(needle))) return true;
    if (bytesRead === 0) return false;
    kept = Math.min(overlap, piece.length);
    buffer.copyWithin(0, piece.length - kept, piece.length);
  }
}

const zeros = Buffer.alloc(1_048_576);

/** Overwrites and deletes a file; false where there is none. A file that has another name elsewhere only loses this one. */
async function erase(path: string): Promise<boolean> {
  const [status, folder] = await Promise.all([statusOf(path), statusOf(dirname(path))]);
  if (status === null || folder === null) return false;
  const at = bytesOfPath(path);
  if (status.isFile() && status.nlink === 1n) {
    await chmod(at, 0o600);
    await using handle = await open(at, "r+");
    for (let place = 0; place < Number(status.size); place += zeros.length)
      await handle.write(zeros, 0, Math.min(zeros.length, Number(status.size) - place), place);
    await handle.sync();
  }
  const mode = Number(folder.mode & 0o7777n);
  await chmod(bytesOfPath(dirname(path)), mode | 0o300);
  await rm(at, { recursive: true, force: true });
  await chmod(bytesOfPath(dirname(path)), mode);
  return true;
}

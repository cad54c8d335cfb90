import { createHash } from "node:crypto";
import { readlink } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import { kindOf, namesIn, statusOf } from "./difference.ts";

/** Where nothing is. */
export const nothing = "nothing";

/** What is at a path, as a short text that changes when somebody changes it: kind, mode, size, time and file number of each entry below, not the contents. */
export async function fingerprintOf(path: string): Promise<string> {
  const status = await statusOf(path);
  if (status === null) return nothing;
  const hash = createHash("sha256");
  const paths = [path];
  for (const each of paths) {
    const found = await statusOf(each);
    if (found === null) continue;
    const { mode, ino } = found;
    const kind = kindOf(found);
    const rest =
      kind === "file"
        ? `${ino} ${found.size} ${found.mtimeNs}`
        : kind === "link"
          ? await readlink(bytesOfPath(each), "utf8")
          : "";
    hash.update(`${JSON.stringify(each.slice(path.length))} ${kind} ${mode} ${rest}\n`);
    if (kind === "folder") for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
  }
  return hash.digest("hex");
}

/** The first path at or below a path that changed after a time, in nanoseconds; null if none did. */
export async function changedAfter(path: string, time: bigint): Promise<string | null> {
  const paths = [path];
  for (const each of paths) {
    const found = await statusOf(each);
    if (found === null) continue;
    if (found.ctimeNs > time) return each;
    if (found.isDirectory()) for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
  }
  return null;
}

import { createHash } from "node:crypto";
import type { BigIntStats, Dirent } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../machine/digest.ts";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { pushAll } from "../../text/lists.ts";
import { inBatches } from "./in-batches.ts";
import { foldersOfOthers } from "./obeyed-entries.ts";
import { isLoadedName } from "./script-names.ts";

/** Begins the stamp of a folder by all code in it. */
const stampStart = "code ";
/** Begins the stamp of a folder of programs by every entry in it. */
export const programStampStart = "programs ";
/** Stands at the end of such a stamp where there is more than is looked at. */
const unknownEnd = " and more";

const maxEntries = 10_000;
const maxFiles = 5_000;

/** Folders of packages: whatever is written there asks. */
const foldersOfPackages: ReadonlySet<string> = new Set([
  ...foldersOfOthers,
  "site-packages",
  "dist-packages",
]);

/** Whether a stamp is that of the code in a folder. */
export function isStampOfCode(stamp: string): boolean {
  return stamp.startsWith(stampStart) || isStampOfPrograms(stamp);
}

/** Whether a stamp is that of a folder of programs. */
export function isStampOfPrograms(stamp: string): boolean {
  return stamp.startsWith(programStampStart);
}

/** Whether there was more code in a folder than its stamp knows. */
export function isUnknownCode(stamp: string): boolean {
  return isStampOfCode(stamp) && stamp.endsWith(unknownEnd);
}

/** The stamp of a folder of which only these parts were compared. */
export function joinUnknown(stamps: readonly string[]): string {
  return `${stampStart}${sha256(stamps.join("\n"))}${unknownEnd}`;
}

/**
 * The stamp of a folder by the code and settings at and below it that some program could load: by the inode,
 * size and times of each file, with what links lead to. It is another one once such a file is new, changed,
 * moved or gone. What `isData` says of is no code, unless it may be executed.
 */
export async function stampOfCode(
  root: string,
  isData: (path: string) => boolean = () => false,
): Promise<string> {
  const yieldToEventLoop = makeEventLoopYield();
  const hash = createHash("sha256");
  const waiting = [root];
  let entries = 0;
  let files = 0;
  for (const folder of waiting) {
    const read = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const sorted = read.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    entries += sorted.length;
    if (entries > maxEntries) return `${stampStart}${hash.digest("hex")}${unknownEnd}`;
    for await (const stamp of inBatches(sorted, (entry) => stampOfEntry(entry, folder, { root, isData }))) {
      await yieldToEventLoop();
      if (stamp === null) continue;
      files += 1;
      hash.update(`${stamp}\n`);
    }
    if (files > maxFiles) return `${stampStart}${hash.digest("hex")}${unknownEnd}`;
    const below = sorted.filter((entry) => entry.isDirectory() && !foldersOfPackages.has(entry.name));
    pushAll(
      waiting,
      below.map(({ name }) => join(folder, name)),
    );
  }
  return `${stampStart}${hash.digest("hex")}`;
}

/**
 * The stamp of a file or link that a program could load as code; null for folders, data, and what is gone.
 */
async function stampOfEntry(
  entry: Dirent,
  folder: string,
  { root, isData }: { readonly root: string; readonly isData: (path: string) => boolean },
): Promise<string | null> {
  // The lock of an editor is a link of such a name.
  if (!(entry.isFile() || entry.isSymbolicLink()) || entry.name.startsWith(".#")) return null;
  const path = join(folder, entry.name);
  const link = entry.isSymbolicLink() ? await readlink(path).catch(() => null) : null;
  const target = await stat(path, { bigint: true }).catch(() => null);
  const below = path.slice(root.length);
  const isProgram = target?.isFile() === true && (target.mode & 0o111n) !== 0n;
  const isPackage = target?.isDirectory() === true;
  const isLoaded = isLoadedName(below) && !isData(path);
  if (!isProgram && !isPackage && !isLoaded && executedLaterRule(below) === null) return null;
  return JSON.stringify([below, link, target?.isFile() === true ? identityOf(target) : null]);
}

function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

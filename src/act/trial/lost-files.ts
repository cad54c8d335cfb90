import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isBuildOutput } from "../../signal/build-output.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import type { Difference } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { lookAt } from "./text-of.ts";

/**
 * Other contents in so many files at most are what a command is for, as long as they are not next to
 * nothing.
 */
const mostReplaced = 10;
/** The part of its words, or of its bytes, that is left of a file of which something stays. */
export const leastKept = 0.1;

/** Bytes. Of larger files no copy is looked for. */
export const largestCopy = 64_000_000n;

/** A file in which a command put something else. */
type Replaced = { readonly path: string; readonly size: bigint; readonly incoming: Made };
/** A file that a command made or changed. */
export type Made = { readonly place: string; readonly size: bigint };

/**
 * The files that keeping a difference deletes, empties, puts something else in the place of or leaves next
 * to nothing of, relative to the workspace; and where they are many, those whose contents are nowhere any
 * more. What a build makes again is not counted.
 */
export async function lostFiles({ exchanges }: Difference, workspace: string): Promise<readonly string[]> {
  const lost: string[] = [];
  const replaced: Replaced[] = [];
  const made: Made[] = [];
  for (const { path, was, incoming } of exchanges) {
    const after = await filesAt(incoming);
    for (const file of after.values()) if (file !== null) made.push(file);
    if (was === null) continue;
    for await (const { inside, status } of walkEntries(path)) {
      const target = join(path, inside);
      if (status.isDirectory() || isBuildOutput(target, workspace)) continue;
      const becomes = after.get(inside);
      const isFull = status.isFile() && status.size > 0n;
      if (becomes === undefined || (isFull && becomes === null)) lost.push(target);
      else if (isFull && becomes !== null)
        replaced.push({ path: target, size: status.size, incoming: becomes });
    }
  }
  return [...lost, ...(await lostContents(replaced, made))].map((path) => relative(workspace, path));
}

/** What is at and below a path, folders left out: null for what is no file. */
export async function filesAt(path: string | null): Promise<ReadonlyMap<string, Made | null>> {
  const found = new Map<string, Made | null>();
  if (path === null) return found;
  for await (const { inside, status } of walkEntries(path))
    if (!status.isDirectory())
      found.set(inside, status.isFile() ? { place: join(path, inside), size: status.size } : null);
  return found;
}

/**
 * Of files with other contents than before, those of which nothing stays: all that are next to empty now,
 * and the others where they are many.
 */
async function lostContents(
  replaced: readonly Replaced[],
  made: readonly Made[],
): Promise<readonly string[]> {
  const bySize = Map.groupBy(made, ({ size }) => size);
  const emptied: string[] = [];
  const others: string[] = [];
  for (const { path, size, incoming } of replaced) {
    await setImmediate();
    const isEmpty = incoming.size === 0n;
    if (!isEmpty && keptShare(path, incoming.place) >= leastKept) continue;
    if (size <= largestCopy && hasCopy(path, bySize.get(size) ?? [])) continue;
    const isSmall = Number(incoming.size) < Number(size) * leastKept;
    (isEmpty || isSmall || wordsOf(incoming.place).size === 0 ? emptied : others).push(path);
  }
  return others.length > mostReplaced ? [...emptied, ...others] : emptied;
}

/** The share of the words of a file that another one has; all where it has none. */
function keptShare(path: string, place: string): number {
  const [before, after] = [wordsOf(path), wordsOf(place)];
  return before.size === 0 ? 1 : before.intersection(after).size / before.size;
}

/**
 * The words of a file, of a large one those at its ends, without their case: what an editor or a formatter
 * moves about.
 */
function wordsOf(path: string): ReadonlySet<string> {
  const look = lookAt(path);
  const text = look === null ? "" : look.isWhole ? look.text : `${look.first} ${look.last}`;
  return new Set(text.toLowerCase().match(/[\w\u0080-\u00ff]+/g));
}

/** Whether a file with these very bytes is among those that the command made. */
export function hasCopy(path: string, made: readonly Made[]): boolean {
  if (made.length === 0) return false;
  const digest = digestOf(path);
  return made.some(({ place }) => digestOf(place) === digest);
}

function digestOf(path: string): string {
  return createHash("sha256")
    .update(readFileSync(bytesOfPath(path)))
    .digest("hex");
}

import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { pushAll } from "../../signal/lists.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { afterwards, type Difference, type Exchange, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { indexNames } from "./index-entries.ts";
import { TooLarge } from "./measure.ts";
import { holdsObject, idsIn } from "./missing-objects.ts";
import { type OverlayFolders, openHistory } from "./repository-history.ts";

/** Which files count. */
export type SecretsOfLine = {
  readonly isSecretPath: (path: string) => boolean;
  /** Whether the words of the line name a secret file, or a secret folder that it is in. */
  readonly isNamed: (path: string) => boolean;
};

/**
 * The secret files that are there and that a line took out of the index of their repository, though its
 * words do not name them: commands do not see them, so that git takes them for gone where it makes an index
 * anew. Where the line only went to another commit that was there before, those that this commit has. Throws
 * `TooLarge`.
 */
export async function untrackedSecrets(
  { exchanges, overlay }: Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders },
  { isSecretPath, isNamed }: SecretsOfLine,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, was, incoming } of exchanges) {
    if (basename(path) !== "index" || was !== "file") continue;
    const before = await namesOf(path);
    const after = incoming === null ? new Set<string>() : await namesOf(incoming);
    if (before === null) continue;
    if (after === null) throw new TooLarge(`${path} cannot be read any more`);
    const root = await workTreeOf(dirname(path));
    const lost: string[] = [];
    for (const name of before) {
      const file = join(root, name);
      const isLost = !after.has(name) && isSecretPath(file) && !isNamed(file);
      if (isLost && (await entryIfThere(file)) !== null) lost.push(file);
    }
    if (lost.length === 0) continue;
    const there = await wentElsewhere(dirname(path), exchanges);
    const kept = there === null ? null : await namesInCommit(there, overlay);
    pushAll(found, kept === null ? lost : lost.filter((file) => kept.has(relative(root, file))));
  }
  return found;
}

async function namesOf(path: string): Promise<ReadonlySet<string> | null> {
  return indexNames(await readBounded(path));
}

/** Bytes. An index has about a hundred for each file. */
const largestRead = 64_000_000;

async function readBounded(path: string): Promise<Buffer> {
  if (((await statusOf(path))?.size ?? 0) > largestRead)
    throw new TooLarge(`${path} has more than ${largestRead} bytes`);
  return readFile(bytesOfPath(path));
}

/** The names of the files in a commit; null where they cannot be read. */
async function namesInCommit(
  { repository, commit }: Elsewhere,
  overlay: OverlayFolders,
): Promise<ReadonlySet<string> | null> {
  await using history = await openHistory(repository, commit.length, overlay);
  const said = await history.run(["ls-tree", "-r", "-z", "--name-only", commit]);
  return said === null ? null : new Set(said.split("\0"));
}

/** The text of a file of a repository; null where there is none. */
async function textOf(path: string | null): Promise<string | null> {
  if (path === null || (await statusOf(path))?.isFile() !== true) return null;
  return textOfName(await readBounded(path));
}

/** The folder whose files an index lists, by the folder that the index is in. */
async function workTreeOf(own: string): Promise<string> {
  const linked = (await textOf(join(own, "gitdir")))?.trim();
  if (linked !== undefined) return dirname(resolve(own, linked));
  const settings = (await textOf(join(own, "config"))) ?? "";
  const [, named] = /(?<=^|\n)\s*worktree = ([^\n]+)/.exec(settings) ?? [];
  return named === undefined ? dirname(own) : resolve(own, named);
}

/** A commit of a repository. */
type Elsewhere = { readonly repository: string; readonly commit: string };

/**
 * The commit that a line checked out, where that is another one and the line made none of the commits that
 * the repository names since; else null. `own` is the folder of the index.
 */
async function wentElsewhere(own: string, exchanges: readonly Exchange[]): Promise<Elsewhere | null> {
  const shared = await textOf(join(own, "commondir"));
  const repository = shared === null ? own : resolve(own, shared.trim());
  const before = await checkedOut({ own, repository, at: (path) => path });
  const commit = await checkedOut({ own, repository, at: afterwards(exchanges) });
  if (commit === null || commit === before) return null;
  for (const { path, incoming } of exchanges) {
    if (incoming === null || !isInside(repository, path)) continue;
    for await (const { inside, status } of namesRefs(relative(repository, path))
      ? walkEntries(incoming)
      : []) {
      if (!status.isFile()) continue;
      if (status.size > largestRead) throw new TooLarge(`${path} has more than ${largestRead} bytes`);
      for (const id of await idsIn(join(incoming, inside)))
        if (!(await holdsObject(repository, id))) return null;
    }
  }
  return { repository, commit };
}

/** Whether a path of a repository is a branch or another name of a commit, or a folder of such names. */
function namesRefs(inside: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?(?:HEAD|packed-refs|refs(?:\/.+)?)$/.test(inside);
}

type Place = {
  readonly own: string;
  readonly repository: string;
  /** Where a file of the repository is looked up; null where it is gone. */
  readonly at: (path: string) => string | null;
};

/** The commit that is checked out; null for none yet. */
async function checkedOut({ own, repository, at }: Place): Promise<string | null> {
  const head = (await textOf(at(join(own, "HEAD"))))?.trim() ?? "";
  const [, branch] = /^ref: (.+)$/.exec(head) ?? [];
  if (branch === undefined) return head;
  const loose = (await textOf(at(join(repository, branch))))?.trim();
  if (loose !== undefined) return loose;
  const packed = (await textOf(at(join(repository, "packed-refs")))) ?? "";
  return (
    packed
      .split("\n")
      .find((line) => line.endsWith(` ${branch}`))
      ?.split(" ")[0] ?? null
  );
}

const mostShown = 5;

/** Why nothing is kept of a line that took secret files out of an index; null for none. */
export function refuseUntracked(files: readonly string[]): string | null {
  if (files.length === 0) return null;
  const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : "";
  return `It would have taken ${files.slice(0, mostShown).join(", ")}${more} out of the repository, which the command did not name: commands do not see secret files, so that git takes them for gone where it lists a folder anew. Nothing that it changed was kept. Add the files that are meant by their names (git add FILE); to stop tracking a secret file, name it: git rm --cached FILE.`;
}

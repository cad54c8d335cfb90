import { join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { isRepositoryData } from "../../text/later/executed-later.ts";
import type { Difference, Exchange } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { namesIn, textOf } from "./text-of.ts";

/** A repository, and the part of it that belongs to one work tree. */
type RepositoryParts = { readonly folder: string; readonly own: string };

/** One file that is made, replaced or deleted; `text` gives what it would hold where that is little. */
type FileChange = {
  /** From the folder of the repository. */
  readonly inside: string;
  readonly isFile: boolean;
  readonly existed: boolean;
  readonly isMade: boolean;
  readonly text: () => string | null;
};

/**
 * What a command changed in the copy of a repository that is not its to change: all but new objects, and the
 * index, messages, `HEAD`, stash and log of its own work tree and of the branch that was checked out there.
 * Hooks, settings, attributes, other branches and other work trees belong to nobody's commit.
 */
export async function foreignChanges(
  { exchanges, special }: Difference,
  { folder, own }: RepositoryParts,
): Promise<readonly string[]> {
  const branch = /^ref: (refs\/heads\/[^\n]+)\n$/.exec(namesIn(join(own, "HEAD")) ?? "")?.[1] ?? null;
  const part = relative(folder, own);
  const foreign = [...special];
  for (const exchange of exchanges)
    for await (const change of filesOf(exchange, folder))
      if (!isOfCommit(change, { part, branch })) foreign.push(join(folder, change.inside));
  return foreign;
}

async function* filesOf({ path, was, incoming }: Exchange, folder: string): AsyncGenerator<FileChange> {
  const at = relative(folder, path);
  const gone = was === "folder" || incoming === null;
  for (const [start, isMade] of [
    [incoming, true],
    [gone ? path : null, false],
  ] as const) {
    if (start === null) continue;
    for await (const { inside, status } of walkEntries(start)) {
      if (status.isDirectory()) continue;
      const isFile = status.isFile();
      const existed = !isMade || was !== null;
      yield { inside: join(at, inside), isFile, existed, isMade, text: () => textOf(join(start, inside)) };
    }
  }
}

const stash = /^(?:logs\/)?refs\/stash$/;
/**
 * Files at the top of a work tree's part: `HEAD`, `COMMIT_EDITMSG`, `MERGE_HEAD` and the like, and the
 * index.
 */
const ofWorkTree = /^(?:[A-Z][A-Z_]*|index|sharedindex\.[0-9a-f]+|logs\/HEAD)$/;

function isOfCommit(
  { inside, isFile, existed, isMade, text }: FileChange,
  { part, branch }: { readonly part: string; readonly branch: string | null },
): boolean {
  if (!isFile) return false;
  if (inside.startsWith("objects/")) return !existed && isRepositoryData(`/.git/${inside}`);
  if (stash.test(inside)) return !isMade || inside.startsWith("logs/") || commit.test(text() ?? "");
  const inPart = isInside(`/${part}`, `/${inside}`) ? relative(part, inside) : "";
  if (inPart === "HEAD") return isMade && head.test(text() ?? "");
  if (pseudoRef.test(inPart)) return !isMade || commits.test(text() ?? "no commit");
  if (ofWorkTree.test(inPart)) return isMade || !kept.test(inPart);
  if (branch === null || !isMade) return false;
  return inside === `logs/${branch}` || (inside === branch && commit.test(text() ?? ""));
}

/** What a work tree cannot be without. */
const kept = /^(?:index|logs\/HEAD)$/;
/**
 * Names of commits that git keeps for itself (gitglossary, "pseudoref"): one that led to a branch would have
 * git write that.
 */
const pseudoRef = /^(?:[A-Z_]+_HEAD|AUTO_MERGE|BISECT_EXPECTED_REV|NOTES_MERGE_[A-Z]+)$/;
const commits = /^(?:(?:[0-9a-f]{40}|[0-9a-f]{64})(?:\t[^\n]*)?\n)*$/;
const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/;
const head = /^(?:ref: refs\/heads\/[^\s\0]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

import { join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { pushAll } from "../../text/lists.ts";
import type { FolderPart } from "../sandbox/part-overlay.ts";
import { type Difference, type Exchange, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { octal, openedRights } from "./opened-rights.ts";

/** A change outside of the workspace that a question named. */
export type NamedChange = {
  /** A real path. */
  readonly path: string;
  readonly how: "write" | "delete";
  /** Whether all below may change as well. */
  readonly tree: boolean;
  /** Whether something was there. What is made may have anything below. */
  readonly exists: boolean;
  /** Whether a file may become one of another kind, or with other rights. Default: an edit keeps both. */
  readonly replaces?: boolean;
  /** Whether its words give rights. Default: a folder that was there opens to nobody else. */
  readonly givesRights?: boolean;
  /** What below it is executed later, and was named as that. Default: nothing is. */
  readonly later?: readonly string[];
  /** Whether the question told what a copy brings below it and what that replaces. Default: it did not. */
  readonly isListed?: boolean;
};

/** What was named of a part of a folder. */
type NamedPart = FolderPart & { readonly named: readonly NamedChange[] };

/**
 * What of a difference is kept, and what else was changed, which nobody said yes to: by paths, and in words
 * what became of files that were to be edited.
 */
type ByName = {
  readonly difference: Difference;
  readonly unnamed: readonly string[];
  readonly altered: readonly string[];
};

/**
 * Parts what a line changed in the copy of a part of a folder: what the question named, and what else it
 * changed. What it did not see of the folder is as it was, and counts as neither.
 */
export async function byName(difference: Difference, part: NamedPart): Promise<ByName> {
  const { folder, shown, named } = part;
  const isSeen = (path: string): boolean => shown.some((name) => isInside(join(folder, name), path));
  const unnamed = [...difference.special];
  const altered: string[] = [];
  const kept: Exchange[] = [];
  for (const exchange of difference.exchanges) {
    const other = isEdited(exchange.path, named) ? await alteration(exchange, difference) : null;
    if (other !== null) altered.push(`${exchange.path} ${other}`);
    const others = await unnamedIn(exchange, named);
    if (others.length === 0) kept.push(exchange);
    pushAll(unnamed, others);
  }
  for (const { path, was, mode } of difference.modes) {
    if (!isItself(path, named) && !isBelowNamed(path, named)) unnamed.push(path);
    else if (openedRights(was, mode).opens !== undefined && !mayOpen(path, named))
      altered.push(`${path} ${wouldGet(mode, was)}`);
  }
  const times = difference.times.filter(
    ({ path }) => isSeen(path) || named.some((each) => each.path === path),
  );
  return { difference: { ...difference, exchanges: kept, times }, unnamed: [...new Set(unnamed)], altered };
}

/** Whether a file was there, and a command was to change what it holds, and nothing else of it. */
function isEdited(path: string, named: readonly NamedChange[]): boolean {
  const own = named.filter((each) => each.path === path);
  return own.length > 0 && own.every(({ how, exists, replaces }) => how === "write" && exists && !replaces);
}

/**
 * What a file became beside another text, as the end of a sentence; null where it is the file that it was.
 */
async function alteration(
  { path, was, incoming, becomes }: Exchange,
  { access, privileged }: Difference,
): Promise<string | null> {
  if (was !== "file" || incoming === null) return null;
  if (becomes !== "file") return `would be a ${becomes}`;
  const given = access.get(path);
  if (given !== undefined) return `would get a list of access (${given})`;
  const [old, now] = [await statusOf(path), await statusOf(incoming)];
  const mode = (privileged.get(path) ?? Number(now?.mode ?? 0n)) & 0o7777;
  const before = Number(old?.mode ?? 0n) & 0o7777;
  return (mode & ~before) === 0 ? null : wouldGet(mode, before);
}

function wouldGet(mode: number, before: number): string {
  return `would get the permissions ${octal(mode)}, and has ${octal(before)}`;
}

/** The paths of one exchange that were not named, or are executed later and were not named themselves. */
async function unnamedIn(
  { path, was, incoming, becomes }: Exchange,
  named: readonly NamedChange[],
): Promise<readonly string[]> {
  // What took the place of a folder, or of something on the way to what was named, took that away.
  const isLost = incoming === null || was === "folder" || (was !== null && becomes === "folder");
  if (isLost && !isDeletionNamed(path, named)) return [path];
  if (incoming === null) return [];
  const unnamed: string[] = [];
  for await (const { inside, status } of walkEntries(incoming)) {
    const at = join(path, inside);
    const isWay =
      status.isDirectory() && named.some((each) => each.how === "write" && isInside(at, each.path));
    if (isWay || isItself(at, named)) continue;
    if (!isBelowNamed(at, named) || (executedLaterRule(at) !== null && !isNamedLater(at, named)))
      unnamed.push(at);
  }
  return unnamed;
}

function isDeletionNamed(path: string, named: readonly NamedChange[]): boolean {
  return named.some(
    (each) => each.how === "delete" && (each.path === path || (each.tree && isInside(each.path, path))),
  );
}

function isItself(path: string, named: readonly NamedChange[]): boolean {
  return named.some((each) => each.how === "write" && each.path === path);
}

/** Whether words give rights to a path that was there. */
function mayOpen(path: string, named: readonly NamedChange[]): boolean {
  return named.some(
    (each) => each.givesRights === true && (each.path === path || (each.tree && isInside(each.path, path))),
  );
}

function isNamedLater(path: string, named: readonly NamedChange[]): boolean {
  return named.some(({ later = [] }) => later.some((each) => isInside(each, path)));
}

/** Whether a path is in a folder that was named to be written as a whole, or is made. */
function isBelowNamed(path: string, named: readonly NamedChange[]): boolean {
  return named.some(
    ({ how, path: folder, tree, exists }) => how === "write" && (tree || !exists) && isInside(folder, path),
  );
}

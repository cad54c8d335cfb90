import { lstatSync } from "node:fs";
import { join } from "node:path";
import { foldRepositories } from "../../shown/fold-repositories.ts";
import type { FileDiff } from "../../signal/file-diff.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import type { SetResult } from "./change-sets.ts";
import type { UndoSetPlan } from "./plan-undo-set.ts";
import { namesIn, textOf } from "./text-of.ts";

/** Digits of a commit's id that are shown. */
const shortId = 7;
const branch = /^(.+)\/(refs\/heads\/.+|HEAD)$/;
/** What a commit writes to the log of its branch (git-reflog). */
const commitLine = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*\tcommit(?: \([a-z]+\))?: (.*)$/;
/** Commits that are named. */
const mostNamed = 5;
const commitName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** A branch, or a `HEAD` without one, before an undo. */
type Standing = {
  readonly path: string;
  readonly repository: string;
  readonly commit: string;
  /** The lines of its log, the last one first. */
  readonly log: readonly string[];
};

/**
 * Notes where branches are before an undo, and gives the words for it afterwards: the commits that are taken
 * back, and a line for each repository in the place of the files that git keeps there.
 */
export function noteCommits({ exchanges }: UndoSetPlan): (result: SetResult) => readonly string[] {
  const before = exchanges.flatMap(({ path }) => standingOf(path) ?? []);
  const known = before.map(({ repository }) => repository).filter(isRepository);
  return ({ done, made }) => {
    const diffs = made.map((path) => diffOf(path, before));
    const { files, repositories } = foldRepositories(diffs, known);
    const own = new Set(files.map(({ path }) => path));
    const records = made.filter((path) => !own.has(path)).map((path) => `${escapeInvisible(path)} `);
    // Of a folder it is said what was in it.
    const isFolded = (words: string): boolean =>
      !words.endsWith(" in it.") && records.some((start) => words.startsWith(start));
    const others = done.filter((words) => !isFolded(words));
    return [...others, ...before.flatMap(wordsOf), ...repositories];
  };
}

function standingOf(path: string): Standing | null {
  const [, repository, name] = branch.exec(path) ?? [];
  const commit = commitIn(path);
  if (repository === undefined || name === undefined || commit === null) return null;
  const log = namesIn(join(repository, "logs", name)) ?? "";
  return { path, repository, commit, log: log.trimEnd().split("\n").toReversed() };
}

function isRepository(folder: string): boolean {
  const isFolder = (name: string): boolean =>
    lstatSync(bytesOfPath(join(folder, name)), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder("objects") && isFolder("refs") && textOf(join(folder, "HEAD")) !== null;
}

function commitIn(path: string): string | null {
  const text = branch.test(path) ? (textOf(path) ?? "") : "";
  return commitName.test(text) ? text.trim() : null;
}

function diffOf(path: string, before: readonly Standing[]): FileDiff {
  const was = before.find((each) => each.path === path)?.commit;
  const is = commitIn(path);
  const lines = [...(was === undefined ? [] : [`-${was}`]), ...(is === null ? [] : [`+${is}`])];
  const isThere = lstatSync(bytesOfPath(path), { throwIfNoEntry: false }) !== undefined;
  const change = isThere ? "replace" : "delete";
  return { path, change, added: 0, removed: 0, diff: lines.join("\n"), left: 0 };
}

/** Which commits an undo took off a branch, where its log says that it got there by commits alone. */
function wordsOf({ path, commit, log }: Standing): readonly string[] {
  const now = commitIn(path) ?? "0".repeat(commit.length);
  const taken: string[] = [];
  let at = commit;
  for (const line of log) {
    if (at === now) break;
    const [, from = "", to = "", subject = ""] = commitLine.exec(line) ?? [];
    if (to !== at) return [];
    taken.push(`${to.slice(0, shortId)} (${escapeInvisible(subject)})`);
    at = from;
  }
  if (at !== now || taken.length === 0) return [];
  const more = taken.length > mostNamed ? ` and ${taken.length - mostNamed} more` : "";
  const isOne = taken.length === 1;
  const named = taken.slice(0, mostNamed).join(", ");
  return [`The commit${isOne ? "" : "s"} ${named}${more} ${isOne ? "is" : "are"} taken back.`];
}

import { join, relative, resolve } from "node:path";
import { namesIfThere } from "../files/names-if-there.ts";
import { checkedOut, filesOfIndex, textIn } from "./checked-out.ts";
import type { Exchange } from "./difference.ts";
import type { IndexFile } from "./index-entries.ts";
import { emptyTrees, refsOf, repositoryOf } from "./lost-commits.ts";
import { parentsOfMade } from "./made-commit.ts";
import { TooLarge } from "./measure.ts";
import type { History } from "./repository-history.ts";

/** A file as git has it. `was`: its mode there before; 0 where git did not have it. */
export type GitFile = Omit<IndexFile, "isHidden"> & { readonly was: number };
/** Where a path lies after a command; null where it is gone. */
export type At = (path: string) => string | null;

/**
 * The folders whose index, `HEAD` or logs may say something else now: those of repositories and of their
 * linked work trees.
 */
export async function checkouts(exchanges: readonly Exchange[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { path } of exchanges) {
    const repository = await repositoryOf(path);
    if (repository === null || !/\/\.git(?:\/modules\/.+)?$/.test(repository)) continue;
    if (/^(?:objects|hooks|info)(?:\/|$)/.test(relative(repository, path))) continue;
    found.add(repository);
    const linked = join(repository, "worktrees");
    for (const name of await namesIfThere(linked)) found.add(join(linked, name));
  }
  return found;
}

type Version = Pick<GitFile, "id" | "mode">;
type ChangedIndex = { readonly staged: readonly GitFile[]; readonly hidden: readonly string[] };

/** What an index lists otherwise than before. */
export async function changedIndex(own: string, at: At): Promise<ChangedIndex> {
  const place = join(own, "index");
  if (at(place) === place) return { staged: [], hidden: [] };
  const [before, after] = [await filesOfIndex(own, (path) => path), await filesOfIndex(own, at)];
  if (before === null || after === null) throw new TooLarge(`${place} cannot be read`);
  const known = new Map(before.map((file) => [file.name, file]));
  const staged = after
    .filter((file) => !isSame(known.get(file.name), file))
    .map((file) => ({ ...file, was: known.get(file.name)?.mode ?? 0 }));
  const hidden = after.filter(({ name, isHidden }) => isHidden && known.get(name)?.isHidden === false);
  return { staged, hidden: hidden.map(({ name }) => name) };
}

function isSame(one: Version | undefined, other: Version): boolean {
  return one?.id === other.id && one.mode === other.mode;
}

/** What is checked out before and after a command, and what was named before. */
export type MovedCommit = {
  readonly repository: string;
  /** What is checked out; null for nothing yet. */
  readonly was: string | null;
  readonly now: string | null;
  /** Whether the command made that commit, on the one from before. */
  readonly isMade: boolean;
  /** All that the branches and tags named before. */
  readonly before: readonly string[];
  /** The branches and tags with what they named. */
  readonly refs: ReadonlyMap<string, string>;
};

export async function movedCommit(own: string, at: At): Promise<MovedCommit> {
  const shared = await textIn(join(own, "commondir"));
  const repository = shared === null ? own : resolve(own, shared.trim());
  const was = await checkedOut({ own, repository, at: (path) => path });
  const now = await checkedOut({ own, repository, at });
  const refs = await refsOf(repository);
  if (refs === null) throw new TooLarge(`${repository} has too many branches and tags`);
  const parents = now === null ? null : await parentsOfMade(now, repository, at);
  const isMade = parents !== null && (parents[0] ?? null) === was;
  return { repository, was, now, isMade, refs, before: [...refs.values(), ...(was === null ? [] : [was])] };
}

/**
 * The files of a commit that was made, and those of an index that are not in a commit from before that is
 * checked out.
 */
export async function newFiles(
  git: History,
  staged: readonly GitFile[],
  { repository, was, now, isMade, before }: MovedCommit,
): Promise<readonly GitFile[]> {
  const said = async (args: readonly string[], input?: readonly string[]): Promise<string> => {
    const found = await git.run(args, input);
    if (found === null) throw new TooLarge(`the commits of ${repository} cannot be read`);
    return found;
  };
  if (now === null || (now === was && staged.length === 0)) return staged;
  const others = before.map((id) => `^${id}`);
  const count = ["rev-list", "--count", "--max-count=1", "--stdin"];
  const isOld = !isMade && (await said(count, [now, ...others])) === "0\n";
  if (isOld) {
    if (staged.length === 0) return [];
    const tree = new Map(
      entriesIn(await said(["ls-tree", "-r", "-z", now])).map((file) => [file.name, file]),
    );
    return staged.filter((file) => !isSame(tree.get(file.name), file));
  }
  const start = was ?? emptyTrees.get(now.length) ?? "";
  return entriesIn(await said(["diff-tree", "-r", "-z", "--raw", "--no-renames", start, now])).concat(staged);
}

/** The files that `ls-tree -z` or `diff-tree --raw -z` lists, as they are after it. */
export function entriesIn(listed: string): GitFile[] {
  const tree = /()(\d{6}) (?:blob|commit) ([0-9a-f]+)\t([^\0]+)\0/g;
  const difference = /:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) [AMT]\0([^\0]+)\0/g;
  return [...listed.matchAll(listed.startsWith(":") ? difference : tree)].map(
    ([, was = "", mode = "", id = "", name = ""]) => ({
      name,
      id,
      mode: Number.parseInt(mode, 8),
      was: Number.parseInt(`0${was}`, 8),
    }),
  );
}

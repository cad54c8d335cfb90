import { dirname, join } from "node:path";
import { isMergeState } from "../../text/later/executed-later.ts";
import { afterwards, type Exchange } from "./difference.ts";
import { commitName } from "./own-branch.ts";
import { namesIn, textOf } from "./text-of.ts";

/**
 * Whether git deletes a file since a commit ended the merge, cherry-pick or revert that the file tells of:
 * the same command moved the branch that is checked out there, or `HEAD` where no branch is. The log does
 * not count: `git reset` writes it too.
 */
export function isOfEndedMerge(target: string, exchanges: readonly Exchange[]): boolean {
  if (!isMergeState(target)) return false;
  const own = dirname(target);
  const [, branch] = /^ref: (refs\/heads\/[^\n]+)\n$/.exec(namesIn(join(own, "HEAD")) ?? "") ?? [];
  const repository = own.replace(/\/worktrees\/[^/]+$/, "");
  const position = branch === undefined ? join(own, "HEAD") : join(repository, branch);
  const now = afterwards(exchanges)(position);
  const commit = now === null ? null : textOf(now);
  return commitName.test(commit ?? "") && commit !== textOf(position);
}

import { join } from "node:path";
import { settingsIn } from "../files/git-settings.ts";
import { repositoryAround } from "./linked-repository.ts";
import type { GitPlace } from "./outside-repository.ts";
import type { Unfollowed } from "./owner-git-settings.ts";
import { readGitWords } from "./programs/git-words.ts";
import { startedProgram, withoutWrappers } from "./programs/unwrap-words.ts";
import { textOfFile } from "./text-of-file.ts";

const committing = new Set(["commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"]);
/** What a commit lacks for each setting, and the words by which it was to lack it. */
const lacks: Readonly<Record<Unfollowed, { readonly what: string; readonly meant: RegExp }>> = {
  "commit.gpgsign": { what: "a commit is not signed", meant: /^--no-gpg-sign$/ },
  "core.hooksPath": { what: "its hooks do not run", meant: /^(?:--no-verify|-[a-z]*n[a-z]*)$/ },
};

/**
 * Where a git command runs, and the function that gives what of the owner's settings is not followed there.
 */
export type CommitPlace = GitPlace & { readonly unfollowed?: () => Promise<ReadonlySet<Unfollowed>> };

/**
 * What the commit of a command lacks, since the sandbox has no key and no program of the owner, in words;
 * null where it lacks nothing. The settings of the repository itself are followed, and win.
 */
export async function describeUnfollowed(
  argv: readonly string[],
  given: CommitPlace,
): Promise<string | null> {
  if (!given.mayLook || startedProgram(argv) !== "git") return null;
  const { folder, words } = readGitWords(withoutWrappers(argv).slice(1));
  if (!committing.has(words[0] ?? "")) return null;
  const unfollowed = [...((await given.unfollowed?.()) ?? [])];
  const repository = await repositoryAround(await given.resolvePath(folder || "."));
  const settings = repository === null ? "" : ((await textOfFile(join(repository, "config"))) ?? "");
  const own = new Set(settingsIn(settings).map(({ section, key }) => `${section}.${key}`));
  const left = unfollowed.filter(
    (key) => !own.has(key.toLowerCase()) && !words.some((word) => lacks[key].meant.test(word)),
  );
  if (left.length === 0) return null;
  const what = left.map((key) => lacks[key].what).join(", and ");
  return `${left.join(" and ")} of the owner's git settings ${left.length === 1 ? "is" : "are"} not followed in the sandbox: ${what}`;
}

/** What the owner can do about it. */
export const followThem = "The owner's own git commit --amend --no-edit follows them.";

import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { namesIn, textOf } from "./text-of.ts";

/** What a branch would become, and the folder whose work trees count. */
type OwnBranch = { readonly commit: string; readonly workspace: string };

/** What a branch holds. */
export const commitName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/**
 * Whether a file is the branch that is checked out in a work tree of the workspace, and becomes the name of
 * a commit: what every commit does. Where a commit is checked out and no branch, `HEAD` itself is that file.
 * The work tree may be a submodule or a linked one, whose `HEAD` and `.git` name each other. All is read as
 * it was before the command ran, and no command writes a `HEAD` unasked that names a branch or would.
 */
export function isOwnBranch(target: string, { commit, workspace }: OwnBranch): boolean {
  if (!commitName.test(commit)) return false;
  if (basename(target) === "HEAD") return isDetached(target, workspace);
  return repositoriesOf(target).some(
    ({ repository, branch }) =>
      hasCheckedOut(repository, branch) ||
      linkedTrees(repository).some(
        (linked) => hasCheckedOut(linked, branch) && isLinkedIn(linked, workspace),
      ),
  );
}

/** Whether it is the `HEAD` of a work tree in which a commit is checked out, and no branch. */
function isDetached(head: string, workspace: string): boolean {
  if (!commitName.test(textOf(head) ?? "")) return false;
  const folder = dirname(head);
  return /\/\.git(?:\/modules\/.+)?$/.test(folder) || isLinkedIn(folder, workspace);
}

/** The repositories that a file may be a branch of: a submodule may have any name. */
function repositoriesOf(target: string): readonly { readonly repository: string; readonly branch: string }[] {
  return [...target.matchAll(/\/(?=refs\/heads\/.)/g)].flatMap(({ index }) => {
    const repository = target.slice(0, index);
    return /\/\.git(?:\/modules\/.+)?$/.test(repository)
      ? [{ repository, branch: target.slice(index + 1) }]
      : [];
  });
}

function hasCheckedOut(folder: string, branch: string): boolean {
  return namesIn(join(folder, "HEAD"))?.trim() === `ref: ${branch}`;
}

/** The folders in which a repository keeps what belongs to its linked work trees. */
function linkedTrees(repository: string): readonly string[] {
  const folder = join(repository, "worktrees");
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

function isLinkedIn(linked: string, workspace: string): boolean {
  const file = namesIn(join(linked, "gitdir"))?.trim() ?? "";
  const pointer = resolve(linked, file);
  if (basename(pointer) !== ".git" || !isInside(workspace, pointer)) return false;
  const [, back = ""] = /^gitdir: (.+)\n?$/.exec(namesIn(pointer) ?? "") ?? [];
  return back !== "" && resolve(dirname(pointer), back) === linked;
}

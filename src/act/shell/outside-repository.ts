import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { findBorrowed } from "./borrowed-objects.ts";
import { findOutside, type OutsideRepository } from "./git-repository.ts";
import { repositoryAround } from "./linked-repository.ts";
import { readGitWords } from "./programs/git-words.ts";
import type { PathUse } from "./programs/proof.ts";

/** Where a git command runs, and the functions that read the world. */
export type GitPlace = {
  readonly workspace: string | null;
  readonly mayLook: boolean;
  /** Whether it runs on a terminal, where nobody knows yet what will be typed. Default: no. */
  readonly onTerminal?: boolean;
  readonly resolvePath: (path: string) => Promise<string>;
  /** Whether no action may read or change a path: a secret one, or one of the agent itself. */
  readonly isForbidden: (path: string) => boolean;
  /** Whether a line here runs over copies of folders. Default: it does not. */
  readonly holdsCopies?: () => Promise<boolean>;
};

/**
 * The repository that a git command needs and that lies outside of the workspace; null for any other
 * command. It is given a copy of it: only what a commit changes comes back from there. Only a git that the
 * line itself starts has it: of another program nobody knows what it needs.
 */
export async function findOutsideRepository(
  [program = "", ...args]: readonly string[],
  given: GitPlace,
): Promise<OutsideRepository | null> {
  const { workspace } = given;
  if (basename(program) !== "git" || !isLookedAt(given) || workspace === null) return null;
  const folder = await given.resolvePath(readGitWords(args).folder || ".");
  const outside = await findOutside(folder, workspace);
  if (outside === null || given.isForbidden(outside.folder)) return null;
  return (await given.holdsCopies?.()) === true ? outside : null;
}

/**
 * What a git command reads outside of the workspace: the repository, the work tree where the workspace is a
 * part of it, and the repositories that it borrows objects from.
 */
export async function readsOfRepository(
  argv: readonly string[],
  repository: OutsideRepository | null,
  given: GitPlace,
): Promise<readonly PathUse[]> {
  const { workspace } = given;
  const [program = "", ...args] = argv;
  if (basename(program) !== "git" || !isLookedAt(given) || workspace === null) return [];
  const cwd = await given.resolvePath(readGitWords(args).folder || ".");
  const around = repository?.folder ?? (await repositoryAround(cwd));
  const { lenders } = around === null ? { lenders: [] } : await findBorrowed(around);
  const own = repository === null ? [] : [repository.folder, repository.workTree];
  return treesOutside([...own, ...lenders], workspace);
}

function isLookedAt({ mayLook, onTerminal = false }: GitPlace): boolean {
  return mayLook && !onTerminal;
}

/** Those of some folders that lie outside of a workspace, each read with all below. */
export function treesOutside(folders: readonly string[], workspace: string): readonly PathUse[] {
  const outside = folders.filter((folder) => !isInside(workspace, folder));
  return [...new Set(outside)].map((path) => ({ path, access: "contents", tree: true }));
}

/** The files of a repository that git obeys: its settings, attributes and hooks. */
export async function obeyedFiles({ folder, own }: OutsideRepository): Promise<readonly string[]> {
  const hooks = await readdir(join(folder, "hooks")).catch(() => []);
  const named = hooks.filter((name) => !name.endsWith(".sample")).map((name) => join(folder, "hooks", name));
  const settings = [folder, own].flatMap((each) =>
    ["config", "config.worktree"].map((name) => join(each, name)),
  );
  return [...new Set([...settings, join(folder, "info", "attributes"), ...named])];
}

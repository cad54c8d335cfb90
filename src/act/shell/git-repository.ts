import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { findBorrowed } from "./borrowed-objects.ts";
import { findLinkedRepository, type LinkedRepository, withoutWorkTree } from "./linked-repository.ts";
import { textOfFile } from "./text-of-file.ts";

/** Sections of the settings in which no key makes a guarded showing command run a program or read another place. */
const knownSections = new Set(
  (
    "core remote branch user author committer color column pull push fetch init advice gc rerere rebase commit submodule lfs alias " +
    "credential url http extensions status log blame merge diff format tag i18n gui gitflow maintenance receive svn-remote feature index " +
    "transfer stash pack"
  ).split(" "),
);

/** What is known of git's showing commands in a folder. */
type RepositoryLook = {
  /** Why they are not proved harmless; null if they are. */
  readonly doubt: string | null;
  /**
   * The repository, where it lies outside of the workspace and belongs to the work tree that the folder is
   * in; null elsewhere.
   */
  readonly outside: OutsideRepository | null;
  /** The repositories that it borrows objects from. */
  readonly lenders: readonly string[];
};

/** A repository outside of the workspace. */
export type OutsideRepository = LinkedRepository & {
  /** The folder whose files it keeps: the workspace, or a folder in it or above it. */
  readonly workTree: string;
};

/**
 * Looks at the repository that git takes in a folder. The repository's own settings can name programs
 * (filters) and other places, so only known settings are accepted. The work tree must be in the workspace;
 * its repository may be elsewhere where both name each other.
 */
export async function lookAtRepository(cwd: string, workspace: string): Promise<RepositoryLook> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = await entryIfThere(join(folder, ".git"));
    if (status !== null) {
      if (!isInside(workspace, folder))
        return {
          doubt: "the repository is outside the workspace",
          outside: await findAbove(folder, workspace),
          lenders: [],
        };
      if (!status.isDirectory()) return lookAtLinked(folder, workspace);
      if (!(await isRepository(join(folder, ".git"))))
        return doubtful("the folder .git is no repository, so git takes one from a folder above");
      return lookWithObjects({ folder: join(folder, ".git"), linked: null, outside: null });
    }
    if (await isRepository(folder)) return doubtful(`${folder} is a repository without a work tree`);
    if (folder === "/") return doubtful(null);
  }
}

const elsewhere = "the repository is elsewhere (.git is not a folder)";

function doubtful(doubt: string | null): RepositoryLook {
  return { doubt, outside: null, lenders: [] };
}

/** Looks at the settings of a repository, and at what it borrows. */
async function lookWithObjects({
  folder,
  linked,
  outside,
}: {
  readonly folder: string;
  readonly linked: LinkedRepository | null;
  readonly outside: OutsideRepository | null;
}): Promise<RepositoryLook> {
  const { lenders, odd } = await findBorrowed(folder);
  const doubt =
    odd === null ? await doubtAboutSettings(folder, linked) : `${odd} is no folder of git's objects`;
  return { doubt, outside, lenders };
}

/**
 * The repository of the work tree that a folder is in, where it lies outside of the workspace. Its settings
 * are not looked at.
 */
export async function findOutside(cwd: string, workspace: string): Promise<OutsideRepository | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = await entryIfThere(join(folder, ".git"));
    if (status === null && folder !== "/" && !(await isRepository(folder))) continue;
    if (status === null || !isInside(workspace, folder))
      return status === null ? null : findAbove(folder, workspace);
    const linked = status.isDirectory() ? null : await findLinkedRepository(folder);
    const isThere = linked !== null && (await isRepository(linked.folder));
    return isThere && isApart(linked, workspace) ? { ...linked, workTree: folder } : null;
  }
}

function isApart({ folder }: LinkedRepository, workspace: string): boolean {
  return !isInside(workspace, folder) && !isInside(folder, workspace);
}

/** The repository of a work tree that the workspace is a part of. */
async function findAbove(workTree: string, workspace: string): Promise<OutsideRepository | null> {
  const folder = join(workTree, ".git");
  const isOwn = (await entryIfThere(folder))?.isDirectory() === true;
  const found = isOwn ? { folder, own: folder } : await findLinkedRepository(workTree);
  if (found === null || isInside(found.folder, workspace) || !(await isRepository(found.folder))) return null;
  // Git looks on the disk of its folder alone.
  const [above, below] = await Promise.all([workTree, workspace].map((each) => entryIfThere(each)));
  if (above?.dev !== below?.dev) return null;
  return { ...found, workTree };
}

async function lookAtLinked(folder: string, workspace: string): Promise<RepositoryLook> {
  const linked = await findLinkedRepository(folder);
  if (linked === null || !(await isRepository(linked.folder))) return doubtful(elsewhere);
  const isHeld = isInside(workspace, linked.folder);
  // Only below .git a sandbox keeps the settings as they are.
  if (isHeld && !/\/\.git(?:\/|$)/.test(linked.folder))
    return doubtful("the repository of the work tree is no .git folder");
  const isAround = isInside(linked.folder, workspace);
  const outside = isApart(linked, workspace) ? { ...linked, workTree: folder } : null;
  if (isAround) return { ...doubtful(elsewhere), outside };
  return lookWithObjects({ folder: linked.folder, linked, outside });
}

/** True if git takes a folder for a repository, and does not look for another one in the folders above. */
async function isRepository(folder: string): Promise<boolean> {
  const parts = await Promise.all(["objects", "refs"].map((name) => entryIfThere(join(folder, name))));
  const head = (await textOfFile(join(folder, "HEAD"))) ?? "";
  return (
    parts.every((status) => status?.isDirectory() === true) &&
    /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head.slice(0, 200))
  );
}

/**
 * Files by which a repository refers to settings, hooks or objects in another place, beside what it borrows.
 */
const pointers = ["commondir", "gitdir", "objects/info/http-alternates"];

async function doubtAboutSettings(
  repository: string,
  linked: LinkedRepository | null = null,
): Promise<string | null> {
  for (const name of pointers) {
    if ((await entryIfThere(join(repository, name))) !== null)
      return `a part of the repository is elsewhere (.git/${name})`;
  }
  const link = await findLink(repository);
  if (link !== null) return link;
  const isSubmodule = linked?.own === repository;
  const own = linked === null || isSubmodule ? [] : [join(linked.own, "config.worktree")];
  for (const path of [join(repository, "config"), join(repository, "config.worktree"), ...own]) {
    const isMissing = (await entryIfThere(path)) === null;
    const text = isMissing ? "" : await textOfFile(path);
    if (text === null) return "the settings of the repository cannot be read";
    const found = doubtAboutText(isSubmodule ? withoutWorkTree(text) : text);
    if (found !== null) return found;
  }
  return null;
}

const maxEntries = 100_000;

/** Says which part of a repository is a link or no file: git prints lines of several of its own files, wherever they lead. Hooks are not looked at, because no showing command runs or reads them. */
async function findLink(repository: string): Promise<string | null> {
  const folders = [""];
  let entries = 0;
  for (const folder of folders) {
    const found = await readdir(join(repository, folder), { withFileTypes: true }).catch(() => null);
    if (found === null) return `a part of the repository cannot be read (${join(".git", folder)})`;
    entries += found.length;
    if (entries > maxEntries) return "the repository has too many files to look for links among them";
    for (const entry of found) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (path !== "hooks") folders.push(path);
      } else if (!entry.isFile())
        return `a part of the repository is elsewhere (${join(".git", path)} is a link)`;
    }
  }
  return null;
}

function doubtAboutText(text: string): string | null {
  if (/\\\r?\n/.test(text)) return "the settings of the repository have continued lines";
  for (const line of text.split(/\r?\n/)) {
    for (const [, section = ""] of line.matchAll(/\[\s*([^\s\]".]+)/g)) {
      if (!knownSections.has(section.toLowerCase()))
        return `the settings of the repository have an unknown section (${section})`;
    }
    if (/(?:^|\])\s*(?:worktree|gitproxy|sshcommand|askpass|alternaterefscommand)\s*(?:=|$)/i.test(line)) {
      return "the settings of the repository name another place or a program";
    }
  }
  return null;
}

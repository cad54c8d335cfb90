import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "./real-path.ts";

/** Sections of the settings in which no key makes a guarded showing command run a program or read another place. */
const knownSections = new Set(
  (
    "core remote branch user author committer color column pull push fetch init advice gc rerere rebase commit submodule lfs alias " +
    "credential url http extensions status log blame merge diff format tag i18n gui gitflow maintenance receive svn-remote feature index " +
    "transfer stash pack"
  ).split(" "),
);

/**
 * Says why git's showing commands are not proved harmless in this folder; null if they are. The repository's own settings
 * can name programs (filters) and other places, so only known settings are accepted, and the repository must be in the workspace.
 */
export async function doubtOfRepository(cwd: string, workspace: string): Promise<string | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = await lstat(join(folder, ".git")).catch(() => null);
    if (status !== null) {
      if (!isWithin(folder, workspace)) return "the repository is outside the workspace";
      return status.isDirectory()
        ? doubtAboutSettings(join(folder, ".git"))
        : "the repository is elsewhere (.git is not a folder)";
    }
    if (folder === "/") return null;
  }
}

/** Files by which a repository refers to settings, hooks or objects in another place. */
const pointers = ["commondir", "gitdir", "objects/info/alternates", "objects/info/http-alternates"];

async function doubtAboutSettings(repository: string): Promise<string | null> {
  for (const name of pointers) {
    if ((await lstat(join(repository, name)).catch(() => null)) !== null)
      return `a part of the repository is elsewhere (.git/${name})`;
  }
  for (const name of ["config", "config.worktree"]) {
    const text = await readFile(join(repository, name), "utf8").catch((fault: unknown) => {
      const missing = fault instanceof Error && "code" in fault && fault.code === "ENOENT";
      return missing ? "" : null;
    });
    if (text === null) return "the settings of the repository cannot be read";
    const found = doubtAboutText(text);
    if (found !== null) return found;
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

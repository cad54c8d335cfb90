import { dirname, join } from "node:path";
import { identify, identifyFolder, identifyFolderForSure } from "../../act/files/identify.ts";
import type { TrustedFolders } from "../../memory/state/trusted-folders.ts";

/** Whether the owner trusts folders, and the owner's word on them. */
export type FolderTrust = {
  /** Whether the file or folder at a real path counts as the owner's: the workspace is trusted, and so is each repository between the two. */
  readonly isTrusted: (workspace: string, path: string) => Promise<boolean>;
  /** Trusts the folder that is at a real path now. Says why that cannot be; null where it is trusted. */
  readonly trust: (folder: string) => Promise<"no-folder" | "no-identity" | null>;
};

/** Trust is bound to the folder itself: another folder that takes its path has to be trusted anew. */
export function makeFolderTrust(folders: Pick<TrustedFolders, "identityOf" | "trust">): FolderTrust {
  const isTrustedFolder = async (folder: string): Promise<boolean> => {
    const identity = await folders.identityOf(folder);
    return identity !== null && identity === (await identifyFolderForSure(folder));
  };
  return {
    async isTrusted(workspace, path) {
      for (const folder of [workspace, ...(await repositoriesBetween(workspace, path))]) {
        if (!(await isTrustedFolder(folder))) return false;
      }
      return true;
    },
    async trust(folder) {
      const identity = await identifyFolderForSure(folder);
      if (identity === null) return (await identifyFolder(folder)) === null ? "no-folder" : "no-identity";
      await folders.trust(folder, identity);
      return null;
    },
  };
}

/** What version control systems keep at the top of a clone. */
const repositoryMarks = [".git", ".hg", ".jj", ".svn", ".bzr", "_darcs", ".fslckout", "_FOSSIL_", "CVS"];

/** The folders below a workspace, down to a path, that are repositories of their own: clones inside the workspace. */
async function repositoriesBetween(workspace: string, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let folder = path; folder.startsWith(`${workspace}/`); folder = dirname(folder)) {
    if (await isRepository(folder)) found.push(folder);
  }
  return found;
}

/** Whether a folder is the top of a repository. */
export async function isRepository(folder: string): Promise<boolean> {
  const marks = await Promise.all(
    repositoryMarks.map((name) => identify(join(folder, name), { mayRead: false })),
  );
  return marks.some((mark) => mark !== null);
}

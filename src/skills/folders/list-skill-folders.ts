import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const mostFolders = 200;

/** The names of the skills in a folder, sorted: its folders with a `SKILL.md`. None where there is no folder. */
export async function listSkillFolders(root: string): Promise<readonly string[]> {
  const entries = await namesIn(root);
  const names = entries.filter((name) => !name.startsWith(".")).sort();
  const found = await Promise.all(
    names
      .slice(0, mostFolders)
      .map(async (name) =>
        (await lstat(join(root, name, "SKILL.md")).catch(() => null)) === null ? [] : [name],
      ),
  );
  return found.flat();
}

async function namesIn(root: string): Promise<readonly string[]> {
  try {
    return await readdir(root);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return [];
    throw error;
  }
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { entryIfThere } from "../files/status-if-there.ts";
import { inBatches } from "./in-batches.ts";
import { folderKind } from "./installation.ts";

/** Settings and programs that are looked at, and bytes of a file that is looked into. */
const most = { settings: 100, programs: 20, bytes: 16_384 };

/** Files of an installation that are no programs: all that were looked at, and those that are private. */
export type PrivateFiles = { readonly looked: readonly string[]; readonly found: readonly string[] };

/**
 * Finds the settings of an installation that are private under whatever name: what lies in it or in its
 * folders that hold no code, and is closed to everybody else, or looks like it holds a secret. Where its
 * programs are closed to others, too, that is how its owner makes all files, and says nothing.
 */
export async function findPrivateFiles(
  root: string,
  looksSecret: (text: string) => boolean,
): Promise<PrivateFiles> {
  const { settings, programs } = await filesIn(root);
  const modes = await Promise.all(programs.map(async (path) => (await entryIfThere(path))?.mode ?? 0));
  const isOpen = modes.some((mode) => (mode & 0o005) === 0o005);
  const found: string[] = [];
  for await (const each of inBatches(settings, async (path) => ({
    path,
    status: await entryIfThere(path),
  }))) {
    const { path, status } = each;
    if (status === null || (status.mode & 0o111) !== 0) continue;
    const isClosed = isOpen && (status.mode & 0o077) === 0;
    const isSmall = status.size <= most.bytes;
    if (isClosed || (isSmall && looksSecret(await readFile(path, "utf8").catch(() => "")))) found.push(path);
  }
  return { looked: settings, found };
}

/** Files in an installation and in its folders that hold no code, and of its programs. */
async function filesIn(
  root: string,
): Promise<{ readonly settings: readonly string[]; readonly programs: readonly string[] }> {
  const [settings, programs]: [string[], string[]] = [[], []];
  const folders = [root];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const isOfPrograms = folderKind(folder) === "programs";
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isInRoot = folder === root;
      if (entry.isFile() && (isInRoot || isOfPrograms) && programs.length < most.programs)
        programs.push(path);
      if (entry.isFile() && (isInRoot || !isOfPrograms) && settings.length < most.settings)
        settings.push(path);
      if (entry.isDirectory() && isInRoot && folderKind(path) !== "code") folders.push(path);
    }
  }
  return { settings, programs };
}

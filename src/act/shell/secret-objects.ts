import { dirname, join } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import type { Mask } from "../sandbox/bubblewrap.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import type { PlannedCommand } from "./plan.ts";
import { readGitWords } from "./programs/git-words.ts";
import { startedProgram } from "./programs/unwrap-words.ts";
import type { ShellPorts } from "./shell-ports.ts";
import { textOfFile } from "./text-of-file.ts";

/** Searches of which what git keeps of secret files is covered as well, as the files themselves are. */
export function coveringObjects(
  search: ProtectedPathsSearch,
  { secretObjects }: Pick<ShellPorts, "secretObjects">,
): ProtectedPathsSearch {
  if (secretObjects === undefined) return search;
  return async (folder, limit) => {
    const found = await search(folder, limit);
    const present = found.masked.filter(({ kind }) => kind === "file").map(({ path }) => path);
    const masks = await Promise.all(found.repositories.map((each) => secretObjects(each, present)));
    return { ...found, masked: [...found.masked, ...masks.flat()] };
  };
}

/**
 * Whether a command sees all objects of repositories: git, where it was proved to show none of what it keeps
 * of secret files, or only moves objects and starts no program for it.
 */
export async function showsNoSecrets(command: PlannedCommand, cwd: string): Promise<boolean> {
  const { argv, proof, assignments } = command;
  if (proof !== null) return startedProgram(argv) === "git";
  const [program, ...args] = argv;
  const { options, words } = readGitWords(args);
  const movesOnly = program === "git" && options.length + assignments.length === 0 && movesObjects(words);
  return movesOnly && (await startsNoProgram(join(cwd, ".git")));
}

/** Of the options of these commands only those that name no program are known. */
function movesObjects([name = "", ...rest]: readonly string[]): boolean {
  const known = /^(?:-[qvudfaln]+|--(?:set-upstream|tags|all|force-with-lease|quiet|aggressive|dry-run))$/;
  return /^(?:push|gc|repack)$/.test(name) && rest.every((word) => !word.startsWith("-") || known.test(word));
}

/**
 * Whether a repository, by its folder of its own, has no hooks, and no settings by which git starts
 * programs.
 */
export async function startsNoProgram(folder: string): Promise<boolean> {
  const settings = await textOfFile(join(folder, "config"));
  if (
    settings === null ||
    /hook|include|program|command|helper|pack\s*=|proxy|\[\s*filter|fsmonitor|gpg|editor|template/i.test(
      settings,
    )
  )
    return false;
  return (await namesIfThere(join(folder, "hooks"))).every((name) => name.endsWith(".sample"));
}

/**
 * Why a command may not read a file of a repository by its name: it has what git keeps of a secret file. Null
 * where it may.
 */
export async function refuseObjects(
  { reads }: PlannedCommand,
  covering: ProtectedPathsSearch,
  { secretObjects }: Pick<ShellPorts, "secretObjects">,
): Promise<string | null> {
  if (secretObjects === undefined) return null;
  for (const { path } of reads) {
    const [, repository] = /^(.*?)\/objects\//.exec(path) ?? [];
    if (repository === undefined) continue;
    await covering(dirname(repository));
    const masks: readonly Mask[] = await secretObjects(repository, []);
    if (masks.some((mask) => isInside(mask.path, path)))
      return `${path} holds what git keeps of a secret file, and no command reads it.`;
  }
  return null;
}

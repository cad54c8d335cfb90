import { dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import type { PlanEnvironment, PlannedCommand } from "./plan.ts";
import { readGitWords } from "./programs/git-words.ts";
import { startedProgram } from "./programs/unwrap-words.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import type { Execution, ShellPorts } from "./shell-ports.ts";
import { textOfFile } from "./text-of-file.ts";
import { mostNamed, wordsOfLine } from "./words-of-line.ts";

type Ports = Pick<ShellPorts, "secretObjects">;
type Asked = Parameters<NonNullable<ShellPorts["secretObjects"]>>[0];

/** Searches of which what git keeps of secret files is covered as well, as the files themselves are. */
export function coveringObjects(
  search: ProtectedPathsSearch,
  { secretObjects }: Ports,
  asked: Pick<Asked, "used" | "cancel">,
): ProtectedPathsSearch {
  if (secretObjects === undefined) return search;
  return async (folder, limit) => {
    const found = await search(folder, limit);
    const { repositories } = found;
    const masks = await secretObjects({ ...asked, repositories, present: presentIn(found) });
    return { ...found, masked: [...found.masked, ...masks] };
  };
}

/** The secret files of a folder. */
function presentIn({ masked }: ProtectedPaths): readonly string[] {
  return masked.filter(({ kind }) => kind === "file").map(({ path }) => path);
}

/**
 * The searches for the commands of a line. A proved one that is not git has no need of any object; others may
 * read those of the repositories where they work, and that a word of the line names.
 */
export async function coveringEach(
  commands: readonly PlannedCommand[],
  search: ProtectedPathsSearch,
  { ports, given, cancel }: Pick<Execution, "ports" | "given" | "cancel">,
): Promise<(command: PlannedCommand) => ProtectedPathsSearch> {
  const used = commands.every(({ proof }) => proof !== null) ? nothing : await usedBy(commands, given);
  const proved = coveringObjects(search, ports, { used: nothing, cancel });
  const others = coveringObjects(search, ports, { used, cancel });
  return ({ proof }) => (proof === null ? others : proved);
}

const nothing = { cwd: "/", named: [] };

async function usedBy(
  commands: readonly PlannedCommand[],
  { cwd, resolvePath }: PlanEnvironment,
): Promise<Asked["used"]> {
  const words = [...new Set(wordsOfLine(commands).map(withoutPattern))];
  if (words.length > mostNamed) return null;
  const named = await Promise.all(words.map((word) => resolvePath(word).catch(() => cwd)));
  return { cwd, named: [...named, ...commands.flatMap(({ reads }) => reads.map(({ path }) => path))] };
}

/** Of a word that is another one once it is expanded, the folder that all it may name are in. */
function withoutPattern(word: string): string {
  const at = word.search(/[*?[{$~`\\]/);
  return at < 0 ? word : word.slice(0, at).replace(/[^/]*$/, "") || ".";
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
  search: ProtectedPathsSearch,
  { ports: { secretObjects }, cancel }: { readonly ports: Ports; readonly cancel: AbortSignal },
): Promise<string | null> {
  if (secretObjects === undefined) return null;
  for (const { path } of reads) {
    const [, repository] = /^(.*?)\/objects\//.exec(path) ?? [];
    if (repository === undefined) continue;
    const present = presentIn(await search(dirname(repository)));
    const masks = await secretObjects({ repositories: [repository], used: null, present, cancel });
    if (masks.some((mask) => isInside(mask.path, path)))
      return `${path} holds what git keeps of a secret file, and no command reads it.`;
  }
  return null;
}

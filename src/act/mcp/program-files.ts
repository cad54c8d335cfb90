import { basename, resolve } from "node:path";
import type { McpGrants, ProgramFile } from "../../signal/mcp-server.ts";
import { isInside } from "../../text/is-inside.ts";
import { type Identified, identify } from "../files/identify.ts";
import { realPath } from "../files/real-path.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";
import { isStampOfCode } from "../shell/loaded-code.ts";
import { findNamedWords } from "../shell/named-words.ts";
import { addedEndings, isScriptName } from "../shell/script-names.ts";

/** The words of a server's start. */
type StartWords = {
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly grants: Pick<McpGrants, "write">;
};

/** What the system's package manager keeps: no tool writes there. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/snap"];

/**
 * The files that a server is executed from, as they are now: its program, and each file that its arguments
 * name, below a folder that they name too, also within a script among them (`bash -c`, `node -e`). A file
 * that it was granted to write counts only where it is a program: else it is its data.
 */
export async function findProgramFiles(
  { args, cwd, grants }: StartWords,
  program: string,
): Promise<readonly ProgramFile[]> {
  const words = namedIn(args, cwd ?? "/tmp");
  const folders = [cwd ?? "/tmp"];
  for (const word of words)
    if ((await lookAt(cwd ?? "/tmp", word))?.kind === "folder") folders.push(resolve(cwd ?? "/tmp", word));
  const found = new Map<string, string>();
  for (const [folder, word] of [
    ["/", program],
    ...folders.flatMap((one) => words.map((word) => [one, word])),
  ]) {
    const file = await lookAt(folder ?? "/", word ?? "");
    if (file?.kind !== "file" || systemFolders.some((system) => isInside(system, file.path))) continue;
    const isOwnData = grants.write.some((granted) => isInside(granted, file.path)) && word !== program;
    if (!isOwnData || isProgram(file.path, file.bytes)) found.set(file.path, file.stamp);
  }
  return [...found]
    .map(([path, digest]) => ({ path, digest }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Words to which endings are added: of a long script not each word is looked up so often. */
const mostModules = 100;

/**
 * The words in arguments that may name a file, with the endings that interpreters add. Of a name that only
 * running a script would tell the known end counts.
 */
export function namedIn(args: readonly string[], cwd: string): readonly string[] {
  const named = args.flatMap((arg) => findNamedWords(arg, { cwd, home: sandboxHome }));
  const known = named.map((word) => word.replace(/^.*\*\/?/, "")).filter((word) => word !== "");
  const modules = known.filter((word) => /^[\w./@-]*\w$/.test(word)).slice(0, mostModules);
  const endings = addedEndings.filter((ending) => ending.startsWith("."));
  return [...new Set([...known, ...modules.flatMap((word) => endings.map((ending) => `${word}${ending}`))])];
}

/** The path of a file, or the folder of code, that is not what was accepted; null where all are. */
export function changedProgramFile(
  accepted: readonly ProgramFile[],
  now: readonly ProgramFile[],
): string | null {
  const known = new Map(accepted.map(({ path, digest }) => [path, digest]));
  const changed = now.find(({ path, digest }) => known.get(path) !== digest);
  if (changed === undefined) return null;
  return isStampOfCode(changed.digest) ? `code in ${changed.path}` : changed.path;
}

/** What a word names, by its real path. */
export type LookedAt = Identified & { readonly path: string };

/** Looks at what a word names in a folder; null where that is no file or folder. */
export async function lookAt(folder: string, word: string): Promise<LookedAt | null> {
  if (word.includes("\0")) return null;
  const path = await realPath(folder, word);
  const found = await identify(path, { mayRead: true });
  return found === null ? null : { ...found, path };
}

/** Whether a file is executed, by its name or its first bytes. */
function isProgram(path: string, bytes: Uint8Array | null): boolean {
  const head = Buffer.from(bytes?.subarray(0, 4) ?? []).toString("latin1");
  return bytes === null || isScriptName(basename(path)) || head.startsWith("#!") || head === "\x7fELF";
}

import { basename, resolve } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import type { McpGrants, ProgramFile } from "../../signal/mcp-server.ts";
import { identify } from "../files/identify.ts";
import { realPath } from "../files/real-path.ts";
import { isScriptName } from "../shell/script-names.ts";

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
 * name, below a folder that they name too. A file that it was granted to write counts only where it is a
 * program: else it is its data.
 */
export async function findProgramFiles(
  { args, cwd, grants }: StartWords,
  program: string,
): Promise<readonly ProgramFile[]> {
  const words = args.flatMap((arg) => [arg, arg.slice(arg.indexOf("=") + 1)]).filter((word) => word !== "");
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

/** The path of a file that is not what was accepted; null where all are. */
export function changedProgramFile(
  accepted: readonly ProgramFile[],
  now: readonly ProgramFile[],
): string | null {
  const known = new Map(accepted.map(({ path, digest }) => [path, digest]));
  return now.find(({ path, digest }) => known.get(path) !== digest)?.path ?? null;
}

async function lookAt(folder: string, word: string) {
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

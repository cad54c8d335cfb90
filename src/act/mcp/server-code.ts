import { basename, dirname } from "node:path";
import type { McpGrants, ProgramFile } from "../../signal/mcp-server.ts";
import { isInside } from "../../text/is-inside.ts";
import { isObeyedVariable } from "../../text/later/obeyed-variables.ts";
import { identify } from "../files/identify.ts";
import { realPath } from "../files/real-path.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";
import { isStampOfCode, isUnknownCode, joinUnknown, stampOfCode } from "../shell/loaded-code.ts";
import { findNamedWords } from "../shell/named-words.ts";
import { isLoadedName, isScriptName } from "../shell/script-names.ts";
import { codeWords, isRunner } from "./code-words.ts";
import { type LookedAt, lookAt, namedIn } from "./program-files.ts";

/** The words and variables of a server's start, and the folders that it sees. */
type Start = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly environment: ReadonlyMap<string, string>;
  readonly grants: Pick<McpGrants, "read" | "write">;
};

/** Variables that name where programs keep what they fetch or make, and no code. */
const namesData = /^(?:HOME|PWD|OLDPWD|XDG_\w+|TE?MP|TMPDIR)$|CACHE/;
/** How a program begins that was written when its package of Python was installed. */
const entryPoint = /^#!.+\n(?:#.*\n)*(?:import (?:re|sys)\n)+from [\w.]+ import /;
const maxScriptBytes = 64 * 1024;

/**
 * The folders whose code a server may load, each with the stamp of all code in it: of the folders that it was
 * granted those in which it starts, or that its words, its scripts or the variables that loaders obey lead
 * to. Where a word is made only when it is run, each of them. Where there is too much to compare, its stamp
 * is that of the places in it alone.
 */
export async function findServerCode(start: Start, program: string): Promise<readonly ProgramFile[]> {
  const { cwd, grants } = start;
  const written = await realPaths(grants.write);
  const seen = [...(await realPaths(grants.read)), ...written];
  const places = [
    ...(cwd === null ? [] : [await realPath("/", cwd)]),
    ...(await placesOf(start, program, seen)),
  ];
  const isData = (path: string): boolean =>
    !isScriptName(basename(path)) && written.some((folder) => isInside(folder, path));
  const outermost = [...new Set(seen)].filter(
    (path) => !seen.some((other) => other !== path && isInside(other, path)),
  );
  const code = outermost.toSorted().map((path) => codeOf(path, places, isData));
  return (await Promise.all(code)).flat();
}

/** The code of a server at a path that it was granted; none where nothing leads there. */
async function codeOf(
  path: string,
  places: readonly string[],
  isData: (path: string) => boolean,
): Promise<readonly ProgramFile[]> {
  const parts = places.filter((place) => isInside(path, place));
  const isNamed = places.some((place) => isInside(place, path));
  if (!isNamed && parts.length === 0) return [];
  const granted = await lookAt("/", path);
  if (granted?.kind === "file")
    return isLoadedName(path) && !isData(path) ? [{ path, digest: granted.stamp }] : [];
  const digest = await stampOfCode(path, isData);
  if (isNamed || !isUnknownCode(digest)) return [{ path, digest }];
  const stamps = await Promise.all([...new Set(parts)].map((part) => stampOfCode(part, isData)));
  return [{ path, digest: joinUnknown(stamps) }];
}

/** A folder whose code a server may load, and whether all code there is compared at its start. */
export type CodeFolder = { readonly folder: string; readonly isWhole: boolean };

/** The folders among what a server is executed from. */
export function codeFolders(program: readonly ProgramFile[] = []): readonly CodeFolder[] {
  return program
    .filter(({ digest }) => isStampOfCode(digest))
    .map(({ path, digest }) => ({ folder: path, isWhole: !isUnknownCode(digest) }));
}

function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => realPath("/", path)));
}

/** Where the program of a server, its words and its variables lead to. */
async function placesOf(
  { command, args, cwd, environment }: Start,
  program: string,
  seen: readonly string[],
): Promise<readonly string[]> {
  const folder = cwd ?? "/tmp";
  const file = isRunner(basename(command)) ? null : await lookAt("/", program);
  const isPackage = file !== null && (packageAt(file.path) !== null || entryPoint.test(textOf(file)));
  const own = isPackage
    ? []
    : await codeWords([command, ...args], {
        startsInFolder: cwd !== null,
        packageAt: async (word) => packageAt(word.includes("\0") ? "" : await realPath(folder, word)),
      });
  const obeyed = [...environment].filter(([name]) => isObeyedVariable(name) && !namesData.test(name));
  const texts = [...own, ...obeyed.map(([, value]) => value)];
  const isMade = texts.some((text) => namesOf(text, folder).some((word) => /\*.*\w|\w.*\*/.test(word)));
  const found = await Promise.all(namedIn(texts, folder).map((word) => lookAt(folder, word)));
  const looked = [...(isPackage ? [] : [file]), ...found].filter((one) => one !== null);
  const places = looked.map((one) => placesAt(one, seen));
  return [
    ...(isPackage ? await projectOf(file.path) : []),
    ...(await Promise.all(places)).flat(),
    ...(isMade ? ["/"] : []),
  ];
}

function namesOf(text: string, cwd: string): readonly string[] {
  return findNamedWords(text, { cwd, home: sandboxHome });
}

/** The package of Node or Python that a file is a part of; null for any other file. */
function packageAt(path: string): string | null {
  return /^.*\/(?:node_modules|site-packages|dist-packages)\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? null;
}

/**
 * The project whose environment of Python holds a program: it may be installed from the project's sources.
 */
async function projectOf(program: string): Promise<readonly string[]> {
  const environment = dirname(dirname(program));
  const project = dirname(environment);
  const marker = await identify(`${environment}/pyvenv.cfg`, { mayRead: false });
  return marker === null || project.includes("/.") ? [] : [project];
}

/** A folder itself; of a script its folder, and those of the server that its text names. */
async function placesAt(file: LookedAt, seen: readonly string[]): Promise<readonly string[]> {
  if (file.kind === "folder") return [file.path];
  const text = textOf(file);
  if (packageAt(file.path) !== null || !(isScriptName(basename(file.path)) || text.startsWith("#!")))
    return [];
  const folder = dirname(file.path);
  const named = namesOf(text, folder).filter((word) => seen.some((one) => isInside(one, word)));
  const found = await Promise.all(named.map((word) => lookAt(folder, word)));
  return [folder, ...found.flatMap((one) => (one?.kind === "folder" ? [one.path] : []))];
}

function textOf({ bytes }: LookedAt): string {
  return bytes === null || bytes.length > maxScriptBytes ? "" : new TextDecoder().decode(bytes);
}

import { resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import type { ShellParser } from "./parse.ts";
import { opensFile, type Pipeline, type ShellProgram, type SimpleCommand } from "./program.ts";
import { readWords } from "./words.ts";

type LinePlace = {
  readonly parser: ShellParser;
  readonly home: string;
  readonly cwd: string;
  readonly workspace: string | null;
};

const entering = /^\s*cd[ \t]+("[^"]*"|'[^']*'|[^\s;|&<>()"'`$]+)[ \t]*&&\s*(\S[\s\S]*)$/;

/**
 * Parses a line. One that enters a folder outside of the workspace, where no command runs, is read as the
 * same line with each of its paths in full (`cd ~/docs && rm one` as `rm ~/docs/one`); where its words do not
 * tell which of them are paths, it stays as it is. Looks at no file.
 */
export async function parseLine(cmd: string, place: LinePlace): Promise<ShellProgram> {
  const { parser, home, cwd, workspace } = place;
  const [, word = "", rest = ""] = entering.exec(cmd) ?? [];
  const read = readWords(word, home);
  const [entered] = read.ok ? read.words : [];
  if (entered === undefined || entered.pattern !== null || workspace === null) return parser.parse(cmd, home);
  const folder = resolve(cwd, entered.text);
  const program = isInside(workspace, folder) ? null : await parser.parse(rest, home);
  const pipelines = program?.kind === "plain" ? inFolder(program.pipelines, folder) : null;
  return pipelines === null ? parser.parse(cmd, home) : { kind: "plain", pipelines };
}

function inFolder(pipelines: readonly Pipeline[], folder: string): readonly Pipeline[] | null {
  const found: Pipeline[] = [];
  for (const pipeline of pipelines) {
    const commands = pipeline.commands.map((command) => withFullPaths(command, folder));
    if (commands.includes(null)) return null;
    found.push({ ...pipeline, commands: commands.filter((command) => command !== null) });
  }
  return found;
}

/** Programs whose words are options, of one letter and without values, and paths. */
const plainOptions: ReadonlyMap<string, RegExp> = new Map([
  ["rm", /^-[dfiRrv]+$/],
  ["rmdir", /^-[pv]+$/],
  ["mv", /^-[finTuv]+$/],
  ["cp", /^-[adfHiLnPpRrTuv]+$/],
  ["mkdir", /^-[pv]+$/],
  ["touch", /^-[acm]+$/],
  ["chmod", /^-[cfRv]+$/],
  ["cat", /^-[AbEenstTuv]+$/],
  ["ls", /^-[1AadFhlRrSt]+$/],
]);

function withFullPaths(command: SimpleCommand, folder: string): SimpleCommand | null {
  const { argv, globs = [], redirects, inside } = command;
  const [program = "", ...args] = argv;
  const inFull = redirects.map((redirect) =>
    opensFile(redirect) ? { ...redirect, target: resolve(folder, redirect.target) } : redirect,
  );
  if (program === "git" && globs.length === 0)
    return { ...command, argv: [program, "-C", folder, ...args], redirects: inFull };
  const options = plainOptions.get(program);
  if (options === undefined || inside !== undefined) return null;
  // An empty word names nothing, and the folder itself once it is written in full.
  if (args.some((word) => word === "" || (word.startsWith("-") && !options.test(word)))) return null;
  const mode = program === "chmod" ? args.find((word) => !word.startsWith("-")) : undefined;
  const isPath = (word: string): boolean => !word.startsWith("-") && word !== mode;
  const words = args.map((word) => (isPath(word) ? inFolderOf(word, folder) : word));
  const isListing = program === "ls" && !args.some(isPath);
  return {
    ...command,
    argv: [program, ...words, ...(isListing ? [folder] : [])],
    redirects: inFull,
    ...(globs.length === 0 ? {} : { globs: globs.map((glob) => patternIn(glob, folder)) }),
  };
}

/** A path as it was typed, its `..` and end included. */
function inFolderOf(path: string, folder: string): string {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function patternIn<Found extends { readonly pattern: string }>(glob: Found, folder: string): Found {
  if (glob.pattern.startsWith("/")) return glob;
  return { ...glob, pattern: `${folder.replaceAll(/[*?[\]\\!^-]/g, "\\$&")}/${glob.pattern}` };
}

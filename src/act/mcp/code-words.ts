import { basename } from "node:path";
import { impliedScripts } from "../shell/script-names.ts";

/** Programs that fetch a package of a registry and run it. */
const fetchers = [
  "npx",
  "bunx",
  "pnpx",
  "uvx",
  "npm exec",
  "npm x",
  "pnpm dlx",
  "yarn dlx",
  "bun x",
  "uv tool run",
  "pipx run",
].map((words) => words.split(" "));
/**
 * Their options before the name of the package: those without a value, and those whose value names no
 * folder with code.
 */
const flags = /^(?:--|-y|--yes|-q|--quiet|--silent|--offline|--prefer-offline|--isolated|--refresh)$/;
const valued = /^(?:-p|--package|--from|--with|--python|--cache|--cache-dir|--registry|--index-url)$/;
const caches = /^--cache(?:-dir)?$/;

/** The name of a package with its version, which no registry takes for a path. */
const packageName = /^((?:@[\w.-]+\/)?[A-Za-z0-9][\w.-]*)(?:\[[\w,-]*\])?(?:(?:@|[=<>~^!]=?)[\w.^~*<>=-]+)?$/;

/** Packages whose program runs what its words name, beside those that read a script without being told. */
const runners: ReadonlySet<string> = new Set([
  ...impliedScripts.keys(),
  ..."tsx ts-node nodemon pm2 mcp fastmcp uvicorn gunicorn hypercorn flask streamlit runpy".split(" "),
]);

/** Whether a program or a package runs what its words name. */
export function isRunner(name: string): boolean {
  return runners.has(name) || runners.has(name.replace(/[\d.]+$/, ""));
}

/**
 * The words after the name of a program that may tell it what code to run: all, unless that is a package of a
 * registry that does not run what its words name. `packageAt` says of which package a file is part, if any.
 */
export async function codeWords(
  [program = "", ...args]: readonly string[],
  {
    startsInFolder,
    packageAt,
  }: {
    readonly startsInFolder: boolean;
    readonly packageAt: (word: string) => Promise<string | null>;
  },
): Promise<readonly string[]> {
  const argv = [basename(program), ...args];
  const fetcher = fetchers.find((words) => words.every((word, at) => argv[at] === word));
  if (fetcher !== undefined) return fetchedBy(argv.slice(fetcher.length)).some(isRunner) ? args : [];
  const module = /^python[\d.]*$/.test(argv[0] ?? "") && !startsInFolder ? args.indexOf("-m") : -1;
  if (module >= 0 && /^\w+$/.test(args[module + 1] ?? ""))
    return isRunner(args[module + 1] ?? "") ? args : args.slice(0, module);
  for (const [at, word] of args.entries()) {
    const name = await packageAt(word);
    if (name !== null) return isRunner(name) ? args : args.slice(0, at);
  }
  return args;
}

/** Stands for a package that may run anything. */
const unknown = "node";

/** The names of the packages and of the program that a fetcher is told to run. */
function fetchedBy(words: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [, option = words[at] ?? "", attached] = /^(--[^=]+)=(.*)$/.exec(words[at] ?? "") ?? [];
    if (flags.test(option) && attached === undefined) continue;
    const isOption = valued.test(option);
    if (isOption && attached === undefined) at += 1;
    const name = packageName.exec(attached ?? words[at] ?? "")?.[1];
    if (isOption && (caches.test(option) || /registry|index/.test(option))) continue;
    if (name === undefined || (!isOption && option.startsWith("-"))) return [unknown];
    names.push(name);
    if (!isOption) return names;
  }
  return [unknown];
}

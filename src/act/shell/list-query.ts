import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { listFind } from "./list-find.ts";
import { readGitWords } from "./programs/git-words.ts";
import { baseName, withoutWrappers } from "./programs/unwrap-words.ts";

/** What a query stands for. `isExact` is false where it is some of these. */
export type Listed = { readonly items: readonly string[]; readonly isExact: boolean };

/** Programs that give some of the lines that they get, and no others. */
const filters = new Set("grep egrep fgrep head tail sort uniq cat tac".split(" "));

/**
 * Lists what a command destroys whose words leave that to a query: `find … -delete`, or `xargs` behind a program that lists names. Reads
 * folders and runs nothing. Null where nobody knows it without running the query.
 */
export async function listQuery(
  argv: readonly string[],
  before: readonly (readonly string[])[],
  cwd: string,
): Promise<Listed | null> {
  const words = withoutWrappers(argv);
  if (baseName(words[0]) === "find") {
    const items = await listFind(words.slice(1), cwd);
    return items && { items, isExact: true };
  }
  if (baseName(argv[0]) !== "xargs") return null;
  const [source, ...between] = before;
  if (source === undefined || !between.every((filter) => filters.has(baseName(filter[0])))) return null;
  const listed = await listSource(source, cwd);
  if (listed === null) return null;
  const items = listed.items.map((item) => placed(item, argv, words));
  return { items, isExact: listed.isExact && between.length === 0 };
}

/** The word that a line of input becomes: with `-I`, that of the command which has the mark. */
function placed(item: string, argv: readonly string[], command: readonly string[]): string {
  const at = argv.findIndex((word) => /^-I/.test(word));
  const mark = at < 0 ? "" : (argv[at] ?? "").slice(2) || (argv[at + 1] ?? "");
  const word = mark === "" ? undefined : command.find((each) => each.includes(mark));
  return word === undefined ? item : word.replaceAll(mark, () => item);
}

async function listSource(source: readonly string[], cwd: string): Promise<Listed | null> {
  const [program, ...args] = withoutWrappers(source);
  switch (baseName(program)) {
    case "find": {
      if (args.some((word) => /^-(?:delete|exec|ok|fprint|fls|printf|quit|prune)/.test(word))) return null;
      const items = await listFind(args, cwd);
      return items && { items, isExact: true };
    }
    case "ls": {
      const [folder = ".", ...more] = args.filter((word) => !/^-[1atr]+$/.test(word));
      if (folder.startsWith("-") || more.length > 0) return null;
      const names = await readdir(resolve(cwd, folder)).catch(() => null);
      const isAll = args.some((word) => /^-\w*a/.test(word));
      return names && { items: names.filter((name) => isAll || !name.startsWith(".")).sort(), isExact: true };
    }
    case "git": {
      const { words, folder } = readGitWords(args);
      const [verb, ...options] = words;
      const kind = verb === "branch" ? "heads" : verb === "tag" ? "tags" : null;
      if (kind === null || options.some((word) => /^(?:-a|-r|--all|--remotes)$/.test(word))) return null;
      const items = await listReferences(join(resolve(cwd, folder), ".git"), kind);
      const isAll = verb === "branch" && options.every((word) => word === "-l" || word === "--list");
      return items && { items, isExact: isAll };
    }
    default:
      return null;
  }
}

/** The names of branches or tags, from the files of a repository (gitrepository-layout(5)). */
async function listReferences(repository: string, kind: "heads" | "tags"): Promise<readonly string[] | null> {
  const root = join(repository, "refs", kind);
  if ((await readdir(repository).catch(() => null)) === null) return null;
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const loose = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const packed = await readFile(join(repository, "packed-refs"), "utf8").catch(() => "");
  const prefix = `refs/${kind}/`;
  const names = packed.split("\n").flatMap((line) => {
    const name = line.slice(line.indexOf(" ") + 1);
    return !line.startsWith("#") && name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
  });
  return [...new Set([...loose, ...names])].sort();
}

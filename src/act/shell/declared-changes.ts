import { basename, join } from "node:path";
import type { DeclaredChange } from "../../signal/kept-guard.ts";
import { readGitWords } from "./programs/git-words.ts";
import { withoutWrappers } from "./programs/unwrap-words.ts";
import { valuesOf } from "./programs/worded-rule.ts";

/** What each package manager writes when it installs. */
const pnp = [".pnp.cjs", ".pnp.loader.mjs"];
const packageManagers: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", []],
  ["bun", []],
  ["pnpm", pnp],
  ["yarn", [".yarn", ...pnp]],
]);
const installing = new Set(
  "install i ci add remove rm uninstall un update up upgrade init link dedupe prune version set pkg".split(
    " ",
  ),
);
const treeCommands = new Set(
  "checkout switch merge pull rebase reset stash cherry-pick revert restore apply am clean rm mv read-tree checkout-index".split(
    " ",
  ),
);
/** Those that change the work tree, and hooks and settings of a repository in it. */
const repositoryCommands = new Set("clone worktree submodule lfs bisect".split(" "));
/** Those that change hooks and settings of a repository alone. */
const settingCommands = new Set("config remote branch push fetch".split(" "));
/** Options of `git init` that take the next word as their value. */
const initOptions = new Set([
  "-b",
  "--initial-branch",
  "--template",
  "--separate-git-dir",
  "--object-format",
]);
const configuring = new Set(["cmake", "configure", "meson", "qmake", "autoreconf"]);
const configured =
  "Makefile Makefile.in configure build.ninja CMakeFiles cmake_install.cmake CTestTestfile.cmake".split(" ");
const copiers = new Set(["cp", "mv", "ln", "install", "rsync"]);
const changers = new Set([
  "rm",
  "rmdir",
  "unlink",
  "touch",
  "chmod",
  "tee",
  "truncate",
  "mkdir",
  "sed",
  "perl",
  "dd",
]);

/** Reads from the words of a command what it changes. Of any other program nothing is known. */
export function declaredChanges(argv: readonly string[]): readonly DeclaredChange[] {
  const [word = "", ...rest] = withoutWrappers(argv);
  const program = basename(word);
  const operands = rest.filter((each) => !each.startsWith("-"));
  if (program === "git") return gitChanges(rest);
  const ofManager = installedNames(program, operands);
  if (ofManager !== null) return ofManager.map((name) => ({ kind: "name", name }));
  if (configuring.has(program)) return configured.map((name) => ({ kind: "name", name }));
  if (program === "cargo" && (operands[0] === "new" || operands[0] === "init"))
    return [{ kind: "name", name: ".git" }];
  if (/^python3?$/.test(program) && rest[0] === "-m" && rest[1] === "venv")
    return operands.slice(1).map((path) => ({ kind: "path", path }));
  if (copiers.has(program)) return copied(program, rest, operands);
  if (!changers.has(program)) return [];
  return operands.map((each) => ({ kind: "path", path: program === "dd" ? each.replace(/^of=/, "") : each }));
}

/** The names that a package manager writes when it installs; null for any other command. */
function installedNames(program: string, operands: readonly string[]): readonly string[] | null {
  const more = packageManagers.get(program);
  const isInstalling = operands.length === 0 ? program === "yarn" : installing.has(operands[0] ?? "");
  return more !== undefined && isInstalling ? ["node_modules", "package.json", ...more] : null;
}

/** Whether a command is that of a package manager that installs. */
export function isInstall(argv: readonly string[]): boolean {
  const [word = "", ...rest] = withoutWrappers(argv);
  const operands = rest.filter((each) => !each.startsWith("-"));
  return installedNames(basename(word), operands) !== null;
}

function copied(
  program: string,
  rest: readonly string[],
  operands: readonly string[],
): readonly DeclaredChange[] {
  const at = rest.findIndex((each) => each === "-t" || each === "--target-directory");
  const named = rest.find((each) => each.startsWith("--target-directory="))?.replace(/^[^=]*=/, "");
  const target = named ?? (at === -1 ? operands.at(-1) : rest[at + 1]);
  if (target === undefined) return [];
  const isValue = (each: string): boolean =>
    program === "install" && valuesOf(rest, "-m", "-o", "-g", "--mode", "--owner", "--group").includes(each);
  const sources = operands.filter((each) => each !== target && !isValue(each));
  const made = sources.map((source) => `${target}/${basename(source)}`);
  const changed = program === "mv" ? [...sources, target, ...made] : [target, ...made];
  return changed.map((path) => ({ kind: "path", path }));
}

function gitChanges(words: readonly string[]): readonly DeclaredChange[] {
  const { folder, words: given } = readGitWords(words);
  const [command = "", ...rest] = given;
  if (command === "init") return initialised(folder, rest);
  const isElsewhere = rest.some((word) => /^(?:--global|--system|-f|--file(?:=.*)?)$/.test(word));
  if (command === "config" && isElsewhere)
    return valuesOf(rest, "-f", "--file").map((path) => ({ kind: "path", path: join(folder, path) }));
  if (settingCommands.has(command)) return [{ kind: "name", name: ".git" }];
  if (repositoryCommands.has(command)) return [{ kind: "work-tree", settings: true }];
  return treeCommands.has(command) ? [{ kind: "work-tree", settings: false }] : [];
}

/** The repository that `git init` makes, in the folder that it names or where it runs. */
function initialised(folder: string, words: readonly string[]): readonly DeclaredChange[] {
  const operands = words.filter(
    (word, index) => !word.startsWith("-") && !initOptions.has(words[index - 1] ?? ""),
  );
  if (words.includes("--bare")) return [{ kind: "work-tree", settings: true }];
  return [{ kind: "path", path: join(folder, operands[0] ?? ".", ".git") }];
}

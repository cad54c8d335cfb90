import { basename } from "node:path";

/** What a command says that it changes of the files that are executed later. An approval of it unlocks them in the sandbox. */
export type DeclaredChange =
  /** A path with everything below. */
  | { readonly kind: "path"; readonly path: string }
  /** Everything of this name in the workspace. */
  | { readonly kind: "name"; readonly name: string }
  /** Whatever git keeps of the work tree; with `settings`, the hooks and settings of the repository too. */
  | { readonly kind: "work-tree"; readonly settings: boolean };

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);
const installing = new Set(
  "install i ci add remove rm uninstall un update up upgrade init link dedupe prune version set pkg".split(
    " ",
  ),
);
const installed = ["node_modules", "package.json", ".yarn", ".pnp.cjs", ".pnp.loader.mjs"];
const treeCommands = new Set(
  "checkout switch merge pull rebase reset stash cherry-pick revert restore apply am clean rm mv read-tree checkout-index".split(
    " ",
  ),
);
const settingCommands = new Set(
  "init clone config remote worktree submodule branch push fetch lfs bisect".split(" "),
);
const configuring = new Set(["cmake", "configure", "meson", "qmake", "autoreconf"]);
const configured = ["Makefile", "CMakeFiles", "cmake_install.cmake", "CTestTestfile.cmake"];
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
  const [word = "", ...rest] = argv;
  const program = basename(word);
  const operands = rest.filter((each) => !each.startsWith("-"));
  if (program === "git") return gitChanges(rest);
  if (packageManagers.has(program)) {
    const isInstalling = operands.length === 0 ? program === "yarn" : installing.has(operands[0] ?? "");
    return isInstalling ? installed.map((name) => ({ kind: "name", name })) : [];
  }
  if (configuring.has(program)) return configured.map((name) => ({ kind: "name", name }));
  if (program === "cargo" && (operands[0] === "new" || operands[0] === "init"))
    return [{ kind: "name", name: ".git" }];
  if (/^python3?$/.test(program) && rest[0] === "-m" && rest[1] === "venv")
    return operands.slice(1).map((path) => ({ kind: "path", path }));
  if (copiers.has(program)) return copied(program, rest, operands);
  if (!changers.has(program)) return [];
  return operands.map((each) => ({ kind: "path", path: program === "dd" ? each.replace(/^of=/, "") : each }));
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
  const sources = operands.filter((each) => each !== target);
  const made = sources.map((source) => `${target}/${basename(source)}`);
  const changed = program === "mv" ? [...sources, target, ...made] : [target, ...made];
  return changed.map((path) => ({ kind: "path", path }));
}

function gitChanges(words: readonly string[]): readonly DeclaredChange[] {
  let at = 0;
  while (at < words.length && words[at]?.startsWith("-") === true)
    at += words[at] === "-c" || words[at] === "-C" ? 2 : 1;
  const command = words[at] ?? "";
  if (settingCommands.has(command)) return [{ kind: "work-tree", settings: true }];
  return treeCommands.has(command) ? [{ kind: "work-tree", settings: false }] : [];
}

import { bindToCommit, secretExclusions } from "./git-secrets.ts";
import { makeOptionTable, readArguments } from "./options.ts";
import type { ReadArguments } from "./program-rule.ts";
import { doubt, type PathUse, type ProgramRule } from "./proof.ts";

/** Words that switch off what a repository's configuration could make git run. */
const guarded = [
  "--no-pager",
  "--no-optional-locks",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "log.showSignature=false",
  ].flatMap((set) => ["-c", set]),
  ...["protocol.allow=never", "safe.bareRepository=explicit", "blame.ignoreRevsFile="].flatMap((set) => [
    "-c",
    set,
  ]),
];
const noPrograms = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

const output =
  "-p -u -s -U= -w -b -z -M? -C? -# --patch --no-patch --unified= --stat? --numstat --shortstat --dirstat? --summary --name-only " +
  "--name-status --raw --color? --no-color --word-diff? --color-words? --ignore-all-space --ignore-space-change --ignore-blank-lines " +
  "--minimal --patience --histogram --diff-algorithm= --diff-filter= --find-renames? --no-renames --no-prefix --abbrev? " +
  "--no-abbrev-commit --abbrev-commit --full-index --check --exit-code --quiet --relative --text -a --function-context -W --compact-summary";
const history =
  "-n= -i -S= -G= -E -F --max-count= --skip= --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? " +
  "--author= --committer= --grep= --since= --until= --after= --before= --reverse --no-merges --merges --first-parent --date= " +
  "--format= --pretty? --follow --left-right --cherry-pick --topo-order --date-order --full-history --show-notes --no-notes " +
  "--pickaxe-all --simplify-by-decoration --source";

type Command = {
  readonly options: string;
  /** What the operands are: `paths` and `revisions` may be read, `words` are neither, `none` must not be given. */
  readonly operands: "none" | "words" | "paths" | "contents" | "revisions" | "pattern";
  readonly insert: readonly string[];
  /** Shows contents of the files that are kept, unasked. */
  readonly patches?: true;
};

const patchOptions = new Set([
  "-p",
  "-u",
  "-U",
  "--patch",
  "--unified",
  "-W",
  "--function-context",
  "--word-diff",
  "--color-words",
  "--check",
]);

const commands = new Map<string, Command>([
  [
    "status",
    {
      options:
        "-s -b -z -u? --short --branch --show-stash --long --porcelain? --untracked-files? --ignored? --ahead-behind --no-ahead-behind --renames --no-renames",
      operands: "paths",
      insert: ["--ignore-submodules=all"],
    },
  ],
  ["log", { options: `${output} ${history}`, operands: "revisions", insert: noPrograms }],
  ["show", { options: `${output} ${history}`, operands: "revisions", insert: noPrograms, patches: true }],
  [
    "diff",
    {
      options: `${output} --cached --staged --merge-base`,
      operands: "contents",
      insert: noPrograms,
      patches: true,
    },
  ],
  [
    "branch",
    {
      options:
        "-a -r -v -i --all --remotes --verbose --list --show-current --no-color --color? --column? --sort= --ignore-case",
      operands: "none",
      insert: [],
    },
  ],
  ["tag", { options: "-n? -l --list --sort= --column? --ignore-case", operands: "none", insert: [] }],
  ["remote", { options: "-v --verbose", operands: "none", insert: [] }],
  [
    "reflog",
    { options: "-n= -# --date= --all --oneline --max-count=", operands: "none", insert: noPrograms },
  ],
  [
    "shortlog",
    {
      options: "-s -n -e -c --summary --numbered --email --committer --no-merges --since= --until= --all",
      operands: "revisions",
      insert: [],
    },
  ],
  [
    "ls-files",
    {
      options:
        "-c -d -m -o -i -s -u -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --directory --full-name --error-unmatch",
      operands: "paths",
      insert: [],
    },
  ],
  [
    "ls-tree",
    {
      options: "-r -t -d -l -z --name-only --name-status --full-name --full-tree --long",
      operands: "words",
      insert: [],
    },
  ],
  [
    "rev-parse",
    {
      options:
        "-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --all --branches --tags",
      operands: "words",
      insert: [],
    },
  ],
  [
    "rev-list",
    {
      options:
        "-n= -# --count --all --max-count= --since= --until= --no-merges --merges --first-parent --reverse --author=",
      operands: "words",
      insert: [],
    },
  ],
  ["merge-base", { options: "-a --all --is-ancestor --fork-point --octopus", operands: "words", insert: [] }],
  [
    "describe",
    {
      options: "--tags --all --always --long --abbrev= --match= --exact-match --contains",
      operands: "words",
      insert: [],
    },
  ],
  ["name-rev", { options: "--name-only --tags --always", operands: "words", insert: [] }],
  ["count-objects", { options: "-v -H --verbose --human-readable", operands: "none", insert: [] }],
  [
    "blame",
    {
      options:
        "-b -c -e -f -l -n -p -s -t -w -L= -M? -C? --show-email --show-name --show-number --root --line-porcelain --porcelain --date= --since= --abbrev=",
      operands: "contents",
      insert: ["--no-textconv"],
    },
  ],
  [
    "grep",
    {
      options:
        "-n -i -l -L -c -w -v -h -H -E -F -G -P -I -a -o -q -z -p -W -# -e= -A= -B= -C= -m= --line-number --ignore-case --files-with-matches --name-only --count --word-regexp --invert-match --extended-regexp --fixed-strings --perl-regexp --cached --untracked --break --heading --column --only-matching --max-depth= --and --or --not --all-match --context= --after-context= --before-context= --show-function --color? --no-color",
      operands: "pattern",
      insert: ["--no-textconv"],
    },
  ],
]);
const tables = new Map(
  [...commands].map(([name, { options }]) => [name, makeOptionTable(`${options} --help`)] as const),
);

/** `git` subcommands that only show. Global options that point git elsewhere, and whatever can name a program, are doubts. */
export const gitRule: ProgramRule = (args) => {
  const words = args[0] === "--no-pager" ? args.slice(1) : args;
  const [name = "", ...rest] = words;
  if (name === "--version" && rest.length === 0) {
    return { harmless: true, reads: [], argv: ["git", "--version"], why: "git only prints" };
  }
  if (name === "stash" || name === "worktree") return listing(name, rest);
  const command = commands.get(name);
  const table = tables.get(name);
  if (command === undefined || table === undefined) return doubt(`git ${name} is not known to be harmless`);
  const sorted = readArguments(rest, table);
  if (!sorted.ok) return doubt(sorted.doubt);
  if (sorted.options.some((option) => option.name === "--help"))
    return doubt("git --help opens a manual page with another program");
  if (sorted.options.some(({ value }) => /%[-+ ]?G|%\(|%n?\(trailers/.test(value)))
    return doubt("its format may run a program that checks signatures");
  if (command.operands === "none" && sorted.operands.length > 0)
    return doubt(`git ${name} is not known to be harmless with operands`);
  const reads = gitReads(command, sorted);
  const guardedRest = withoutKeptSecrets(command, sorted, rest);
  if (reads === null || guardedRest === null) return doubt(`git ${name} has an operand that is not known`);
  return {
    harmless: true,
    reads,
    argv: ["git", ...guarded, name, ...command.insert, ...guardedRest],
    why: `git ${name} only shows`,
  };
};

function listing(name: string, rest: readonly string[]): ReturnType<ProgramRule> {
  if (rest.length !== 1 || rest[0] !== "list") return doubt(`git ${name} is not known to be harmless`);
  return {
    harmless: true,
    reads: [],
    argv: ["git", ...guarded, name, "list"],
    why: `git ${name} list only shows`,
  };
}

/** The words for a command that shows what a repository keeps: secret names are left out, ids are commits. Null where that cannot be said of them. */
function withoutKeptSecrets(
  command: Command,
  sorted: ReadArguments,
  rest: readonly string[],
): readonly string[] | null {
  const searches = command.operands === "pattern";
  if (!searches && !showsPatches(command, sorted)) return rest;
  if (sorted.options.some(({ name }) => name === "--follow")) return null;
  const revisions = sorted.operands.slice(searches && !givesPattern(sorted) ? 1 : 0, sorted.afterDashes);
  const bound = new Map(revisions.map((operand) => [operand, bindToCommit(operand)]));
  if ([...bound.values()].includes(null)) return null;
  return [...rest.map((word) => bound.get(word) ?? word), ...secretExclusions];
}

function showsPatches(command: Command, sorted: ReadArguments): boolean {
  return command.patches === true || sorted.options.some(({ name }) => patchOptions.has(name));
}

function givesPattern(sorted: ReadArguments): boolean {
  return sorted.options.some(({ name }) => name === "-e");
}

/** Files that git opens itself, and `REVISION:PATH`, whose contents were kept. Null where an operand could be something else. */
function gitReads(command: Command, sorted: ReadArguments): readonly PathUse[] | null {
  const operands = sorted.operands;
  if (operands.some((operand) => operand.startsWith(":") || (operand.startsWith("-") && operand !== "-")))
    return null;
  // A colon inside of braces belongs to a date or a message, and the path begins at a later one.
  if (operands.some((operand) => operand.includes("{") && operand.includes(":"))) return null;
  const contents = (path: string): PathUse => ({ path, access: "contents", tree: true });
  const kept = operands.flatMap((operand) => {
    const colon = operand.indexOf(":");
    return colon > 0 ? [contents(operand.slice(colon + 1) || ".")] : [];
  });
  const shown = showsPatches(command, sorted) ? [contents(".")] : [];
  switch (command.operands) {
    case "none":
    case "words":
      return kept.length === 0 ? [] : null;
    case "paths":
      return operands.map((path) => ({ path, access: "names", tree: true }));
    case "contents":
      return [...shown, ...operands.map(contents), ...kept];
    case "revisions":
      return [...shown, ...operands.slice(sorted.afterDashes).map(contents), ...kept];
    case "pattern": {
      const given = givesPattern(sorted) ? operands : operands.slice(1);
      const paths = given.length === 0 ? ["."] : given;
      return [...paths.map(contents), ...kept];
    }
    default:
      return null;
  }
}

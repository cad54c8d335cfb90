/** Switches off programs that a repository could name for diffs. */
const noPrograms = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/** Options that shape what is printed. */
const output =
  "-p -u -s -U? -w -b -z -M? -C? -# --patch --no-patch --unified? --stat? --numstat --shortstat --dirstat? --summary --name-only " +
  "--name-status --raw --color? --no-color --word-diff? --color-words? --ignore-all-space --ignore-space-change --ignore-blank-lines " +
  "--minimal --patience --histogram --diff-algorithm= --diff-filter= --find-renames? --no-renames --no-prefix --abbrev? " +
  "--no-abbrev-commit --abbrev-commit --full-index --check --exit-code --quiet --relative --text -a --function-context -W --compact-summary";
/** Options that choose commits. */
const history =
  "-n= -i -S= -G= -E -F --max-count= --skip= --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? " +
  "--author= --committer= --grep= --since= --until= --after= --before= --reverse --no-merges --merges --first-parent --date= " +
  "--format= --pretty? --follow --left-right --cherry-pick --topo-order --date-order --full-history --show-notes --no-notes " +
  "--pickaxe-all --simplify-by-decoration --source";

/** One `git` subcommand that only shows, with its exact options. */
export type GitCommand = {
  /** The manual page that the entry was made from. */
  readonly page: string;
  readonly options: string;
  /** What the operands are. `paths` and `revisions` may be read, `words` are neither, `none` allows no operand. */
  readonly operands: "none" | "words" | "paths" | "contents" | "revisions" | "pattern";
  /** Options put before the others. */
  readonly addedOptions: readonly string[];
  /** True where it shows contents of the repository without an option that asks for them. */
  readonly patches?: true;
  /** True where it tells of the files that are there, and not of what was committed alone. */
  readonly workTree?: true;
};

/** The `git` subcommands that only show. A new one is one entry. */
export const gitCommands: ReadonlyMap<string, GitCommand> = new Map<string, GitCommand>([
  [
    "status",
    {
      page: "git-status(1) git 2.39.5",
      options:
        "-s -b -z -u? --short --branch --show-stash --long --porcelain? --untracked-files? --ignored? --ahead-behind --no-ahead-behind --renames --no-renames",
      operands: "paths",
      workTree: true,
      addedOptions: ["--ignore-submodules=all"],
    },
  ],
  [
    "log",
    {
      page: "git-log(1) git 2.39.5",
      options: `${output} ${history}`,
      operands: "revisions",
      addedOptions: noPrograms,
    },
  ],
  [
    "show",
    {
      page: "git-show(1) git 2.39.5",
      options: `${output} ${history}`,
      operands: "revisions",
      addedOptions: noPrograms,
      patches: true,
    },
  ],
  [
    "diff",
    {
      page: "git-diff(1) git 2.39.5",
      options: `${output} --cached --staged --merge-base`,
      operands: "contents",
      workTree: true,
      addedOptions: noPrograms,
      patches: true,
    },
  ],
  [
    "branch",
    {
      page: "git-branch(1) git 2.39.5",
      options:
        "-a -r -v -i --all --remotes --verbose --list --show-current --no-color --color? --column? --sort= --ignore-case",
      operands: "none",
      addedOptions: [],
    },
  ],
  [
    "tag",
    {
      page: "git-tag(1) git 2.39.5",
      options: "-n? -l --list --sort= --column? --ignore-case",
      operands: "none",
      addedOptions: [],
    },
  ],
  [
    "remote",
    { page: "git-remote(1) git 2.39.5", options: "-v --verbose", operands: "none", addedOptions: [] },
  ],
  [
    "reflog",
    {
      page: "git-reflog(1) git 2.39.5",
      options: "-n= -# --date= --all --oneline --max-count=",
      operands: "none",
      addedOptions: noPrograms,
    },
  ],
  [
    "shortlog",
    {
      page: "git-shortlog(1) git 2.39.5",
      options: "-s -n -e -c --summary --numbered --email --committer --no-merges --since= --until= --all",
      operands: "revisions",
      addedOptions: [],
    },
  ],
  [
    "ls-files",
    {
      page: "git-ls-files(1) git 2.39.5",
      options:
        "-c -d -m -o -i -s -u -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --directory --full-name --error-unmatch",
      operands: "paths",
      workTree: true,
      addedOptions: [],
    },
  ],
  [
    "ls-tree",
    {
      page: "git-ls-tree(1) git 2.39.5",
      options: "-r -t -d -l -z --name-only --name-status --full-name --full-tree --long",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "rev-parse",
    {
      page: "git-rev-parse(1) git 2.39.5",
      options:
        "-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --all --branches --tags",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "rev-list",
    {
      page: "git-rev-list(1) git 2.39.5",
      options:
        "-n= -# --count --all --max-count= --since= --until= --no-merges --merges --first-parent --reverse --author=",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "merge-base",
    {
      page: "git-merge-base(1) git 2.39.5",
      options: "-a --all --is-ancestor --fork-point --octopus",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "describe",
    {
      page: "git-describe(1) git 2.39.5",
      options: "--tags --all --always --long --abbrev? --match= --exact-match --contains",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "name-rev",
    {
      page: "git-name-rev(1) git 2.39.5",
      options: "--name-only --tags --always",
      operands: "words",
      addedOptions: [],
    },
  ],
  [
    "count-objects",
    {
      page: "git-count-objects(1) git 2.39.5",
      options: "-v -H --verbose --human-readable",
      operands: "none",
      addedOptions: [],
    },
  ],
  [
    "blame",
    {
      page: "git-blame(1) git 2.39.5",
      options:
        "-b -c -e -f -l -n -p -s -t -w -L= -M? -C? --show-email --show-name --show-number --root --line-porcelain --porcelain --date= --since= --abbrev?",
      operands: "contents",
      workTree: true,
      addedOptions: ["--no-textconv"],
    },
  ],
  [
    "grep",
    {
      page: "git-grep(1) git 2.39.5",
      options:
        "-n -i -l -L -c -w -v -h -H -E -F -G -P -I -a -o -q -z -p -W -# -e= -A= -B= -C= -m= --line-number --ignore-case --files-with-matches --name-only --count --word-regexp --invert-match --extended-regexp --fixed-strings --perl-regexp --cached --untracked --break --heading --column --only-matching --max-depth= --and --or --not --all-match --context= --after-context= --before-context= --show-function --color? --no-color",
      operands: "pattern",
      workTree: true,
      addedOptions: ["--no-textconv"],
    },
  ],
]);

import { readGitWords } from "./programs/git-words.ts";

/** Programs that do not run what their operands name. Of their operands only the files themselves are part of an approval, not the files that those name. */
const dataPrograms: ReadonlySet<string> = new Set(
  (
    "cp mv rm rmdir mkdir touch ln chmod chown chgrp install dd tee truncate tar zip unzip gzip gunzip bzip2 xz zstd split csplit " +
    "git gh curl wget scp rsync ssh kill pkill killall sed awk gawk shred unlink mkfifo patch base64 convert ffmpeg df du"
  ).split(" "),
);

const dataCommandsOfGit = new Set(
  (
    "add commit push pull fetch checkout switch branch tag merge stash reset restore rm mv clone init status diff log show remote config " +
    "cherry-pick revert clean worktree describe notes gc"
  ).split(" "),
);
/** Options by which a program that handles data runs another one. */
const runningOption =
  /^(?:-[ceI]|-I.+|--.*(?:exec|action|command|compress|program|filter|rsh|hook|upload-pack).*)$/i;

/** Whether a command may run what its words name: false only for programs that are known to treat them as data. */
export function mayRunOperands([program = "", ...args]: readonly string[]): boolean {
  if (!dataPrograms.has(program) || args.some((word) => runningOption.test(word))) return true;
  return program === "git" && !dataCommandsOfGit.has(readGitWords(args).words[0] ?? "");
}

/** The files that a program reads as its script or its settings without being told, in the folder where it runs. `.` stands for the scripts of that folder and below. */
const scriptsByProgram = [
  ["make gmake MAKE", "Makefile makefile GNUmakefile"],
  ["npm npx yarn pnpm bun bunx", "package.json"],
  ["node deno", "package.json deno.json deno.jsonc index.js index.mjs index.cjs"],
  ["xargs parallel", "* ."],
  ["find fd", "."],
  ["cargo", "Cargo.toml build.rs ."],
  [
    "go pytest py.test tox nox unittest jest vitest mocha ava mvn gradle gradlew ansible-playbook rspec phpunit rails php rake sbt",
    ".",
  ],
  ["just", "justfile Justfile .justfile"],
  ["task", "Taskfile.yml Taskfile.yaml"],
  ["rake", "Rakefile rakefile Rakefile.rb"],
  ["bundle bundler", "Gemfile"],
  ["cmake ctest", "CMakeLists.txt"],
  ["ninja", "build.ninja"],
  ["meson", "meson.build"],
  ["scons", "SConstruct"],
  ["ant", "build.xml"],
  ["sbt", "build.sbt"],
  ["pip pip3 python python3", "setup.py setup.cfg pyproject.toml sitecustomize.py usercustomize.py"],
  ["docker podman buildah", "Dockerfile Containerfile compose.yml compose.yaml docker-compose.yml"],
  ["docker-compose podman-compose", "compose.yml compose.yaml docker-compose.yml docker-compose.yaml"],
  ["vagrant", "Vagrantfile"],
  ["terraform tofu", "*.tf *.tfvars"],
  ["uv poetry pdm hatch rye pipx tox nox pytest ruff mypy pylint", "pyproject.toml ruff.toml"],
  ["invoke inv", "tasks.py"],
  ["npm npx yarn pnpm bun", "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml"],
  ["tsc npx npm", "tsconfig.json"],
  ["julia", "Project.toml"],
  ["pulumi", "Pulumi.yaml"],
  ["hugo jekyll", "hugo.toml config.toml _config.yml"],
  ["composer", "composer.json"],
  ["pre-commit", ".pre-commit-config.yaml"],
  ["direnv", ".envrc"],
  [
    "git",
    ".git/config .git/hooks/* .gitattributes .husky/* .husky/_/* .githooks/* .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml",
  ],
] as const;

/** As `scriptsByProgram`, by the name of the program. */
export const impliedScripts: ReadonlyMap<string, readonly string[]> = new Map(
  Map.groupBy(
    scriptsByProgram.flatMap(([programs, files]) =>
      programs.split(" ").map((program) => ({ program, files: files.split(" ") })),
    ),
    ({ program }) => program,
  )
    .entries()
    .map(([program, rows]) => [program, rows.flatMap(({ files }) => files)]),
);

/** Endings that interpreters add to a name: a module, a package, a folder that is run. */
export const addedEndings: readonly string[] = (
  ".py .js .mjs .cjs .ts .mts .cts .jsx .tsx .json .sh .bash .rb .pl .pm .lua .php .mk .go .rs .el " +
  "/__init__.py /__main__.py /index.js /index.mjs /index.cjs /index.ts /package.json /mod.rs"
).split(" ");

const scriptEnding =
  /\.(?:sh|bash|zsh|fish|ksh|py|pyw|js|mjs|cjs|jsx|ts|mts|cts|tsx|rb|pl|pm|t|lua|php|tcl|awk|sed|jq|mk|mak|cmake|gradle|kts|groovy|go|rs|r|jl|el|lisp|scm|clj|ex|exs|hs|nix|tf|ps1|bat|cmd)$/i;
const scriptName =
  /^(?:(?:gnu)?makefile|justfile|rakefile|gemfile|dockerfile|containerfile|vagrantfile|jenkinsfile|procfile|sconstruct|sconscript|cmakelists\.txt|build\.ninja|meson\.build|package\.json|cargo\.toml|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|build\.xml|pom\.xml|deno\.jsonc?)$/i;

/** Whether a file of this name is read as a program by an interpreter or a build. */
export function isScriptName(name: string): boolean {
  return scriptEnding.test(name) || scriptName.test(name);
}

/** Whether a file of this name starts other programs, such as test runners, by their names. */
export function isBuildFile(name: string): boolean {
  return /^(?:(?:gnu)?makefile|justfile|rakefile|package\.json|tox\.ini)$|\.(?:sh|mk)$/i.test(name);
}

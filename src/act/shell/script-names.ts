import { basename } from "node:path";
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
  /^(?:-[ceI]|-I.+|--.*(?:exec|action|command|compress|program|filter|rsh|hook|upload-pack|receive-pack).*)$/i;

/** Whether a command may run what its words name: false only for programs that are known to treat them as data. */
export function mayRunOperands([program = "", ...args]: readonly string[]): boolean {
  if (!dataPrograms.has(program)) return true;
  // curl starts no other program, and has other options of these names.
  if (program !== "curl" && args.some((word) => runningOption.test(word))) return true;
  return program === "git" && !dataCommandsOfGit.has(readGitWords(args).words[0] ?? "");
}

/** Of these, the programs that obey no file, whatever their options name. */
const plainPrograms: ReadonlySet<string> = new Set(
  (
    "cp mv rm rmdir mkdir touch ln chmod chown chgrp install dd tee truncate zip unzip gzip gunzip bzip2 xz zstd split csplit " +
    "git gh kill pkill killall shred unlink mkfifo base64 df du"
  ).split(" "),
);
/** Programs whose words are a program themselves. */
const languages: ReadonlySet<string> = new Set(["sed", "awk", "gawk"]);
/** Short options, and then long ones, whose values are data: what is sent, and where what came is written. */
const dataOptions: ReadonlyMap<string, RegExp> = new Map([
  ["curl", /^(?:[oTdFDcbHw]|output|upload-file|data.*|form.*|json|dump-header|cookie.*|header|write-out)$/],
  [
    "wget",
    /^(?:[OoaPi]|output-.*|append-output|directory-prefix|input-file|post-file|body-file|.*-cookies)$/,
  ],
  ["tar", /^(?:[fTXC]|file|files-from|exclude-from|directory)$/],
]);

/**
 * The words by which a program that treats its operands as data may be told to obey a file: the values of its
 * options, unless they are data as well. Null where its words are a program themselves.
 */
export function steeringWords([program = "", ...args]: readonly string[]): readonly string[] | null {
  if (languages.has(program)) return null;
  if (plainPrograms.has(program)) return [];
  const isData = (option: string): boolean => dataOptions.get(program)?.test(option) === true;
  return args.flatMap((word, at) => {
    const [, long, value] = /^--([^=]+)=(.*)$/.exec(word) ?? [];
    if (long !== undefined) return isData(long) ? [] : [value ?? ""];
    const before = args[at - 1] ?? "";
    const option = /^--(.+)$/.exec(before)?.[1] ?? /^-.*(.)$/.exec(before)?.[1];
    const isValue = option !== undefined && !before.includes("=") && !isData(option);
    return [
      ...(isValue ? [word] : []),
      ...attachedValues(word).flatMap((each) => (isData(each.letter) ? [] : [each.value])),
    ];
  });
}

const mostLetters = 6;

/** What can be the value of a short option in a word of several: `-sKfile`. */
export function attachedValues(word: string): readonly { readonly letter: string; readonly value: string }[] {
  const letters = /^-([A-Za-z]+)/.exec(word)?.[1] ?? "";
  return Array.from({ length: Math.min(letters.length, mostLetters) }, (_, at) => ({
    letter: word.charAt(at + 1),
    value: word.slice(at + 2),
  })).filter(({ value }) => value !== "");
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

/** Whether a file is a script, by its name or its first line. */
export function isScript(name: string, text: string): boolean {
  return isScriptName(name) || !name.includes(".") || text.startsWith("#!");
}

/** Endings of what interpreters, compilers and loaders take by themselves beside scripts, and of settings. */
const loadedEnding =
  /\.(?:pyc|pyd|pyx|pth|egg|whl|pyz|so|so\.[\d.]+|dylib|dll|node|wasm|class|jar|phar|inc|phtml|h|hh|hpp|hxx|c|cc|cpp|cxx|m|java|kt|scala|swift|cs|fs|vb|d|ml|mli|nim|zig|cr|coffee|vue|svelte|dart|beam|erl|hrl|elc|eln|ss|rkt|rake|erb|ejs|j2|jinja2?|ipynb|psm1|psd1|conf|config|cfg|cnf|ini|toml|ya?ml|properties|env|rc)$/i;
const loadedName = /^\.env(?:\.|$)|^\.[\w-]*rc$/i;

/**
 * Whether a program could load a file of this name as code or settings without being told: by its ending, or
 * because it has none, below folders that are not hidden. Everything else is data.
 */
export function isLoadedName(path: string): boolean {
  const name = basename(path);
  const hasNoEnding = !name.includes(".") && !/\/\./.test(path);
  return isScriptName(name) || hasNoEnding || loadedEnding.test(name) || loadedName.test(name);
}

/** Whether a file of this name starts other programs, such as test runners, by their names. */
export function isBuildFile(name: string): boolean {
  return /^(?:(?:gnu)?makefile|justfile|rakefile|package\.json|tox\.ini)$|\.(?:sh|mk)$/i.test(name);
}

import { type GitCommand, gitCommands } from "./git-commands.ts";
import { bindToCommit, secretExclusions } from "./git-secrets.ts";
import { type GitWords, readGitWords } from "./git-words.ts";
import { makeOptionTable, readArguments } from "./options.ts";
import type { KnownArguments } from "./program-rule.ts";
import { doubt, type PathUse, type ProgramRule, type Proof } from "./proof.ts";

/** Options that switch off the programs that a repository's configuration could make git run. */
const guardOptions = [
  "--no-pager",
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=cat",
  "-c",
  "log.showSignature=false",
  "-c",
  "protocol.allow=never",
  "-c",
  "safe.bareRepository=explicit",
  "-c",
  "submodule.recurse=false",
  "-c",
  "blame.ignoreRevsFile=",
  ...["gpg.program", "gpg.x509.program", "gpg.ssh.program"].flatMap((name) => ["-c", `${name}=false`]),
];

/** Options that show contents of the repository. */
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

const tables = new Map(
  [...gitCommands].map(([name, { options }]) => [name, makeOptionTable(`${options} --help`)] as const),
);

/** `git` with a subcommand that only shows. Global options that point git elsewhere, and anything that can name a program, are doubts. */
export const gitRule: ProgramRule = (args) => {
  if (args.length === 1 && args[0] === "--version")
    return { harmless: true, reads: [], argv: ["git", "--version"], why: "git only prints" };
  const given = readGitWords(args);
  if (given.doubt !== null) return doubt(given.doubt);
  const proof = commandRule(given.words);
  return proof.harmless ? inFolder(proof, given) : proof;
};

/** The proof of a command with git's own options before it. Those that guard it come last, because the last one wins. */
function inFolder(proof: HarmlessProof, { options, folder }: GitWords): Proof {
  const argv = ["git", ...options, ...proof.argv.slice(1)];
  const at = proof.exclusion === undefined ? {} : { exclusion: { ...proof.exclusion, at: argv.length } };
  if (folder === "") return { ...proof, argv, ...at };
  const inside = (path: string): string => (path.startsWith("/") ? path : `${folder}/${path}`);
  const reads: readonly PathUse[] = [
    { path: folder, access: "contents", tree: false },
    ...proof.reads.map((use) => ({ ...use, path: inside(use.path) })),
  ];
  return { ...proof, reads, argv, ...at, folder };
}

type HarmlessProof = Extract<Proof, { readonly harmless: true }>;

function commandRule(words: readonly string[]): Proof {
  const [name = "", ...rest] = words;
  if (name === "stash" || name === "worktree") return listRule(name, rest);
  const command = gitCommands.get(name);
  const table = tables.get(name);
  if (command === undefined || table === undefined) return doubt(`git ${name} is not known to be harmless`);
  const read = readArguments(rest, table);
  if (!read.ok) return doubt(read.doubt);
  if (read.options.some((option) => option.name === "--help"))
    return doubt("git --help opens a manual page with another program");
  if (read.options.some(({ value }) => /%[-+ ]?G|%\(|%n?\(trailers/.test(value)))
    return doubt("its format may run a program that checks signatures");
  if (command.operands === "none" && read.operands.length > 0)
    return doubt(`git ${name} is not known to be harmless with operands`);
  const reads = gitReads(command, read);
  const shownWords = withoutSecretContents(command, read, rest);
  if (reads === null || shownWords === null) return doubt(`git ${name} has an operand that is not known`);
  const argv = ["git", ...guardOptions, name, ...command.addedOptions, ...shownWords];
  const shown = { harmless: true, reads, argv, why: `git ${name} only shows` } as const;
  return shownWords === rest ? shown : { ...shown, exclusion: { form: "git", at: argv.length } };
}

function listRule(name: string, rest: readonly string[]): ReturnType<ProgramRule> {
  if (rest.length !== 1 || rest[0] !== "list") return doubt(`git ${name} is not known to be harmless`);
  return {
    harmless: true,
    reads: [],
    argv: ["git", ...guardOptions, name, "list"],
    why: `git ${name} list only shows`,
  };
}

/** The words for a command that shows contents of the repository: secret files are excluded, and object ids are bound to commits. Null where an operand allows neither. */
function withoutSecretContents(
  command: GitCommand,
  read: KnownArguments,
  rest: readonly string[],
): readonly string[] | null {
  const searches = command.operands === "pattern";
  if (!searches && !showsPatches(command, read)) return rest;
  if (read.options.some(({ name }) => name === "--follow")) return null;
  const revisions = read.operands.slice(searches && !givesPattern(read) ? 1 : 0, read.afterDashes);
  const commits = new Map(revisions.map((operand) => [operand, bindToCommit(operand)]));
  if ([...commits.values()].includes(null)) return null;
  return [...rest.map((word) => commits.get(word) ?? word), ...secretExclusions];
}

function showsPatches(command: GitCommand, read: KnownArguments): boolean {
  return command.patches === true || read.options.some(({ name }) => patchOptions.has(name));
}

function givesPattern(read: KnownArguments): boolean {
  return read.options.some(({ name }) => name === "-e");
}

/** The files that git opens itself, and each `REVISION:PATH` in the repository. Null where an operand could be something else. */
function gitReads(command: GitCommand, read: KnownArguments): readonly PathUse[] | null {
  const operands = read.operands;
  if (operands.some((operand) => operand.startsWith(":") || (operand.startsWith("-") && operand !== "-")))
    return null;
  // A colon inside braces belongs to a date or a message; the path begins after a later colon.
  if (operands.some((operand) => operand.includes("{") && operand.includes(":"))) return null;
  const contents = (path: string): PathUse => ({ path, access: "contents", tree: true });
  const inRepository = operands.flatMap((operand) => {
    const colon = operand.indexOf(":");
    return colon > 0 ? [contents(operand.slice(colon + 1) || ".")] : [];
  });
  const shown = showsPatches(command, read) ? [contents(".")] : [];
  switch (command.operands) {
    case "none":
    case "words":
      return inRepository.length === 0 ? [] : null;
    case "paths":
      return operands.map((path) => ({ path, access: "names", tree: true }));
    case "contents":
      return [...shown, ...operands.map(contents), ...inRepository];
    case "revisions":
      return [...shown, ...operands.slice(read.afterDashes).map(contents), ...inRepository];
    case "pattern": {
      const given = givesPattern(read) ? operands : operands.slice(1);
      const paths = given.length === 0 ? ["."] : given;
      return [...paths.map(contents), ...inRepository];
    }
    default:
      return null;
  }
}

import { basename, dirname, join } from "node:path";
import { gitOutputs } from "./git-outputs.ts";
import { readGitWords } from "./git-words.ts";
import { scriptOf, startedByFind, withoutWrappers } from "./unwrap-words.ts";
import { fileRules, wrapperFiles } from "./worded-files.ts";
import { all, valuesOf, type WordedChange, type WordedRule, type Words } from "./worded-rule.ts";

/** Reads from the words of a command which files it reads, writes and deletes. Of a program that is not listed nothing is known. It adds objections and proves nothing. */
export function wordedChanges(argv: readonly string[]): readonly WordedChange[] {
  const [path = "", ...args] = withoutWrappers(argv);
  const end = args.indexOf("--");
  const isOption = (word: string, at: number): boolean =>
    word.startsWith("-") && word !== "-" && (end < 0 || at < end);
  const options = args.filter((word, at) => isOption(word, at));
  const operands = args.filter((word, at) => !isOption(word, at) && at !== end);
  const words = { args, options, operands };
  const taken = [...wrapperFiles(argv), ...(fileRules.get(basename(path))?.(words) ?? [])];
  return [
    ...(rules.get(basename(path))?.(words) ?? []),
    ...taken.map((change) => ({ ...change, onlyForbidden: true }) as const),
  ];
}

const isRecursive = ({ options }: Words): boolean =>
  options.some((word) => /^-[A-Za-z]*[rR]|^--recursive$/.test(word));

const removed: WordedRule = (words) =>
  all(words.operands, "delete", isRecursive(words)).map((change) => ({ ...change, whole: "deleted" }));

const written: WordedRule = ({ operands }) => all(operands, "write");

/** The value of `-t`. */
function folderNamed(args: Words["args"]): string | undefined {
  const at = args.findIndex((word) => word === "-t" || word === "--target-directory");
  const named = args.find((word) => word.startsWith("--target-directory="))?.replace(/^[^=]*=/, "");
  return named ?? (at < 0 ? undefined : args[at + 1]);
}

/** `cp`, `mv`, `install`, `ln`: the last operand, or the value of `-t`, is written; the others are its sources. */
function copied(source: "read" | "delete", valued = /^$/): WordedRule {
  return ({ args, options, operands: given }) => {
    const values = args.flatMap((word, index) => (valued.test(word) ? [args[index + 1]] : []));
    const operands = given.filter((word) => !values.includes(word));
    const target = folderNamed(args) ?? operands.at(-1);
    if (target === undefined) return [];
    const sources = operands.filter((word) => word !== target);
    const taken = all(sources, source, true);
    const moved = taken.map((change) => ({ ...change, whole: "moved" }) as const);
    const isTree =
      source === "read" && options.some((word) => /^-[A-Za-z]*[aRr]|^--(?:archive|recursive)$/.test(word));
    const isExact = options.some((word) => /^-[abcdDfFHilLnpPrRsuvxZ]*T|^--no-target-directory$/.test(word));
    const written = sources.flatMap((from): readonly WordedChange[] => {
      const made = `${target.replace(/\/$/, "")}/${basename(from)}`;
      const as = { path: target, how: "write", tree: isExact && isTree, from, replaces: true } as const;
      if (isExact) return [as];
      return [
        { ...as, onlyWhere: { target, isFolder: false } },
        { ...as, path: made, tree: isTree, onlyWhere: { target, isFolder: true } },
      ];
    });
    const changes = [...(source === "delete" ? moved : taken), ...written];
    const isLoose = options.some((word) =>
      /^-[acdDfFHilLnpPrRsTuvxZ]*(?:b|S)|^--(?:backup|suffix|parents|link)|^-[abcdDfFHinpPrRTuvxZ]*l/.test(
        word,
      ),
    );
    return isLoose ? changes.map((change) => ({ ...change, unheld: looseNames })) : changes;
  };
}

const looseNames =
  "it makes names or links that its words do not say. Propose cp or mv without these options, with each name in full (cp FILE FILE.bak)";

/** `ln`, which with `-n` or `-T` puts its link in the place of another one. */
const linked: WordedRule = (words) => {
  const isHard = !words.options.some((word) => /^-\w*s|^--symbolic$/.test(word));
  const said = copied("read")(words).map(({ from: _, ...change }) => change);
  const changes = isHard ? said : said.flatMap((change) => fromItsFolder(change, words));
  const target = words.operands.at(-1);
  // Both names of a hard link are in the copy that it is made in.
  const linkedTo = changes.filter(({ how }) => isHard && how === "read");
  const made = [
    ...changes,
    ...linkedTo.map(
      (change) => ({ ...change, how: "write", tree: false, onlyForbidden: true, made: true }) as const,
    ),
  ];
  const has = (pattern: RegExp): boolean => words.options.some((word) => pattern.test(word));
  const isFollowed = !has(/^-[bdfFiLPrsv]*[nT]|^--no-(?:dereference|target-directory)$/);
  if (isFollowed || has(/^-\w*t|^--target-directory/) || target?.endsWith("/") !== false) return made;
  return made.map((change) => (change.how === "write" ? { ...change, unfollowed: target } : change));
};

/** What a symbolic link leads to, which counts from the folder of the link, and not from where `ln` runs. */
function fromItsFolder(change: WordedChange, { args, operands }: Words): readonly WordedChange[] {
  const folder = folderNamed(args);
  const target = folder ?? operands.at(-1) ?? "";
  if (change.how !== "read" || change.path.startsWith("/")) return [change];
  const inside = { ...change, path: `${target}/${change.path}` };
  if (folder !== undefined) return [inside];
  const beside = { ...change, path: `${dirname(target)}/${change.path}` };
  return [
    { ...beside, onlyWhere: { target, isFolder: false } },
    { ...inside, onlyWhere: { target, isFolder: true } },
  ];
}

/** The copies that `sed -i.bak` and `perl -i.bak` leave of the files that they edit. */
function backups(files: readonly string[], options: readonly string[]): readonly WordedChange[] {
  const suffix = options
    .flatMap((word) => /^(?:-[nErsuzlpaw]*i|--in-place=)(.+)$/.exec(word)?.[1] ?? "")
    .join("");
  if (suffix === "") return [];
  const changes = all(
    files.map((file) => `${file}${suffix}`),
    "write",
  );
  return /[*/]/.test(suffix) ? changes.map((change) => ({ ...change, unheld: looseNames })) : changes;
}

/** The file of settings that `git config` writes where that is none of the repository. */
function settingsWritten(words: readonly string[]): readonly WordedChange[] {
  const named = valuesOf(words, "-f", "--file");
  const operands = words.filter((word) => !word.startsWith("-") && !named.includes(word));
  const isWriting =
    operands.length > 1 ||
    /^(?:edit|(?:remove|rename)-section)$/.test(operands[0] ?? "") ||
    words.some((word) =>
      /^(?:-e|--(?:add|edit|unset|unset-all|replace-all|(?:remove|rename)-section))$/.test(word),
    );
  if (!isWriting || (operands.length < 3 && /^(?:get|list)$/.test(operands[0] ?? ""))) return [];
  const own = words.includes("--global") ? all([".gitconfig"], "write") : [];
  return [
    ...own.map((change) => ({ ...change, ofHome: true }) as const),
    ...all([...(words.includes("--system") ? ["/etc/gitconfig"] : []), ...named], "write"),
  ];
}

/** What the commands that `find` starts write: what it finds, or what they name beside that. */
function writtenByFind(args: readonly string[], roots: readonly string[]): readonly WordedChange[] {
  const written = startedByFind(["find", ...args])
    .flatMap(wordedChanges)
    .filter(({ how }) => how === "write")
    .flatMap(({ path }) => (path.includes("{}") ? roots : [path]));
  return all([...new Set(written)], "write", true).map((change) => ({
    ...change,
    onlyForbidden: true,
    unheld:
      "what find gives a command only running it would tell. Look for the files first, and name them as words of the command itself",
  }));
}

/** The files that the scripts of `sed` write: `w FILE` as a command, or as a flag of `s`. */
function writtenBySed(args: readonly string[]): readonly WordedChange[] {
  const files = args.flatMap((word) =>
    [...word.matchAll(/(?:^|[;{]\s*|[$\d]|[/|,#][gpIiMme\d]*)[wW] +([^\n]*[^\n/])$/gm)].map(
      ([, file = ""]) => file,
    ),
  );
  return all(files, "write").map((change) => ({
    ...change,
    onlyForbidden: true,
    made: true,
    unheld:
      "a script of sed writes there what no question could tell. Propose sed … > FILE, or cp of what it writes here",
  }));
}

/** `sort`: what it sorts is read beside the file that it writes. */
const sorted: WordedRule = ({ args, operands }) => {
  const valued =
    /^(?:-[bcCdfghiMnRrsuVz]*[kotST]|--(?:key|output|field-separator|buffer-size|temporary-directory|batch-size|parallel))$/;
  const files = operands.filter((word) => word !== "-" && !valued.test(args[args.indexOf(word) - 1] ?? ""));
  return valuesOf(args, "-o", "--output").length === 0 ? [] : all(files, "read");
};

const rules: ReadonlyMap<string, WordedRule> = new Map<string, WordedRule>([
  ...["rm", "rmdir", "unlink"].map((name) => [name, removed] as const),
  ["shred", ({ operands }) => [...all(operands, "write"), ...all(operands, "delete")]],
  ...["tee", "touch", "truncate", "mkfifo"].map((name) => [name, written] as const),
  ["cp", copied("read")],
  ["install", copied("read", /^(?:-[bCcDpsTvZ]*[gmo]|--(?:group|mode|owner))$/)],
  ["mv", copied("delete")],
  ["ln", linked],
  ["sort", sorted],
  [
    "dd",
    ({ args }) => [
      ...all(
        args.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : [])),
        "write",
      ),
      ...all(
        args.flatMap((word) => (word.startsWith("if=") ? [word.slice(3)] : [])),
        "read",
      ),
    ],
  ],
  ...["sed", "perl"].map((name): readonly [string, WordedRule] => [
    name,
    ({ args, options, operands }) => {
      if (!options.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word)))
        return name === "sed" ? writtenBySed(args) : [];
      const scripts = args.filter((_, at) =>
        /^-[A-Za-z]*[ef]$|^--(?:expression|file)$/.test(args[at - 1] ?? ""),
      );
      const files = operands.filter((word) => !scripts.includes(word));
      const edited = scripts.length > 0 ? files : files.slice(1);
      return [...all(edited, "write"), ...backups(edited, options)];
    },
  ]),
  [
    "git",
    ({ args }) => {
      const { folder, words: given } = readGitWords(args);
      const [verb = "", ...words] = given;
      if (verb === "config") return settingsWritten(words);
      const files = words.map((word) => (/^[-/]/.test(word) ? word : join(folder, word)));
      const operands = files.filter((word) => !word.startsWith("-"));
      if (verb === "mv") return copied("delete")({ args: files, options: [], operands });
      if (verb !== "rm") return gitOutputs(verb, words, folder);
      return words.includes("--cached") ? [] : all(operands, "delete", true);
    },
  ],
  [
    "find",
    ({ args }) => {
      const deletes =
        args.includes("-delete") ||
        startedByFind(["find", ...args]).some(
          (command) =>
            /(?:^|[\s;&|(`])(?:rm|rmdir|unlink|shred)\s/.test(scriptOf(command) ?? "") ||
            wordedChanges([...command, "x"]).some(({ how }) => how === "delete"),
        );
      const first = args.findIndex((word) => /^[-(!]/.test(word));
      const named = args.slice(0, first < 0 ? args.length : first);
      const roots = named.length === 0 ? ["."] : named;
      return [...(deletes ? all(roots, "delete", true) : []), ...writtenByFind(args, roots)];
    },
  ],
]);

import { basename } from "node:path";
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

/** `cp`, `mv`, `install`, `ln`: the last operand, or the value of `-t`, is written; the others are its sources. */
function copied(source: "read" | "delete"): WordedRule {
  return ({ args, options, operands }) => {
    const at = args.findIndex((word) => word === "-t" || word === "--target-directory");
    const named = args.find((word) => word.startsWith("--target-directory="))?.replace(/^[^=]*=/, "");
    const target = named ?? (at < 0 ? operands.at(-1) : args[at + 1]);
    if (target === undefined) return [];
    const sources = operands.filter((word) => word !== target);
    const taken = all(sources, source, true);
    const moved = taken.map((change) => ({ ...change, whole: "moved" }) as const);
    const isTree =
      source === "read" && options.some((word) => /^-[A-Za-z]*[aRr]|^--(?:archive|recursive)$/.test(word));
    const isExact = options.some((word) => /^-[abcdDfFHilLnpPrRsuvxZ]*T|^--no-target-directory$/.test(word));
    const written = sources.flatMap((from): readonly WordedChange[] => {
      const made = `${target.replace(/\/$/, "")}/${basename(from)}`;
      const as = { path: target, how: "write", tree: isExact && isTree, from } as const;
      if (isExact) return [as];
      return [
        { ...as, onlyWhere: { target, isFolder: false } },
        { ...as, path: made, tree: isTree, onlyWhere: { target, isFolder: true } },
      ];
    });
    return [...(source === "delete" ? moved : taken), ...written];
  };
}

/** `ln`, which with `-n` or `-T` puts its link in the place of another one. */
const linked: WordedRule = (words) => {
  const changes = copied("read")(words).map(({ from: _, ...change }) => change);
  const target = words.operands.at(-1);
  const has = (pattern: RegExp): boolean => words.options.some((word) => pattern.test(word));
  const isFollowed = !has(/^-[bdfFiLPrsv]*[nT]|^--no-(?:dereference|target-directory)$/);
  if (isFollowed || has(/^-\w*t|^--target-directory/) || target?.endsWith("/") !== false) return changes;
  return changes.map((change) => (change.how === "write" ? { ...change, unfollowed: target } : change));
};

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

const rules: ReadonlyMap<string, WordedRule> = new Map<string, WordedRule>([
  ...["rm", "rmdir", "unlink"].map((name) => [name, removed] as const),
  ["shred", ({ operands }) => [...all(operands, "write"), ...all(operands, "delete")]],
  ...["tee", "touch", "truncate", "mkfifo"].map((name) => [name, written] as const),
  ...["cp", "install"].map((name) => [name, copied("read")] as const),
  ["mv", copied("delete")],
  ["ln", linked],
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
      if (!options.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word))) return [];
      const scripts = args.filter((_, at) =>
        /^-[A-Za-z]*[ef]$|^--(?:expression|file)$/.test(args[at - 1] ?? ""),
      );
      const files = operands.filter((word) => !scripts.includes(word));
      return all(scripts.length > 0 ? files : files.slice(1), "write");
    },
  ]),
  [
    "git",
    ({ args }) => {
      const [verb, ...words] = readGitWords(args).words;
      const operands = words.filter((word) => !word.startsWith("-"));
      if (verb === "config") return settingsWritten(words);
      if (verb === "mv") return copied("delete")({ args: words, options: [], operands });
      return verb === "rm" && !words.includes("--cached") ? all(operands, "delete", true) : [];
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
      const roots = args.slice(0, first < 0 ? args.length : first);
      return deletes ? all(roots.length === 0 ? ["."] : roots, "delete", true) : [];
    },
  ],
]);

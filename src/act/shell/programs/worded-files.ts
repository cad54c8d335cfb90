import { unwrapWords } from "./unwrap-words.ts";
import { all, valuesOf, type WordedChange, type WordedRule, type Words } from "./worded-rule.ts";
import { wrapperTable } from "./wrapper-table.ts";

/** Programs that take files by options of their own, or pack and send them. */
export const fileRules: ReadonlyMap<string, WordedRule> = new Map<string, WordedRule>([
  ["sort", ({ args }) => all(valuesOf(args, "-o", "--output"), "write")],
  [
    "curl",
    ({ args }) => [
      ...all(valuesOf(args, "-o", "--output", "-c", "--cookie-jar", "-D", "--dump-header"), "write"),
      ...all(
        [...valuesOf(args, "-T", "--upload-file", "-K", "--config"), ...args.flatMap(fileOfData)],
        "read",
      ),
    ],
  ],
  [
    "wget",
    ({ args }) => [
      ...all(valuesOf(args, "-O", "--output-document", "-o", "--output-file", "-a"), "write"),
      ...all(valuesOf(args, "--post-file", "--body-file", "-i", "--input-file"), "read"),
    ],
  ],
  ...["rsync", "scp"].map((name): readonly [string, WordedRule] => [name, sent]),
  [
    "patch",
    ({ args, operands: [target, difference] }) => [
      ...all([...valuesOf(args, "-o", "--output"), ...(target === undefined ? [] : [target])], "write"),
      ...all([...valuesOf(args, "-i", "--input"), ...(difference === undefined ? [] : [difference])], "read"),
    ],
  ],
  [
    "split",
    ({ args, operands }) => {
      const [source, prefix] = withoutValues(args, operands, ...valuedBySplit);
      return [
        ...all(source === undefined ? [] : [source], "read"),
        ...unheld(
          all(prefix === undefined ? [] : [prefix], "write"),
          "split the file in the workspace, and move the parts there",
        ),
      ];
    },
  ],
  ["tar", tar],
  ["unzip", ({ args }) => made(all(valuesOf(args, "-d"), "write", true))],
  ["chmod", modes],
  ...["chown", "chgrp", "setfacl", "setfattr", "chattr", "chcon", "mknod"].map(
    (name): readonly [string, WordedRule] => [
      name,
      ({ operands }) =>
        unheld(all(operands, "write"), "no copy holds what it gives a file: leave it to the owner"),
    ],
  ),
  ["mkdir", ({ operands }) => made(all(operands, "write"))],
  ...["rename", "prename", "file-rename"].map((name): readonly [string, WordedRule] => [
    name,
    ({ operands }) => unheld(all(operands, "delete"), "propose mv, with both names"),
  ]),
  ...["vi", "vim", "nvim", "nano", "ed", "ex", "emacs", "micro"].map(
    (name): readonly [string, WordedRule] => [
      name,
      ({ operands }) =>
        unheld(all(operands, "write"), "an editor leaves other files beside it: propose edit-file"),
    ],
  ),
  ["zip", ({ operands }) => [...all(operands.slice(0, 1), "write"), ...all(operands.slice(1), "read", true)]],
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz"].map((name): readonly [string, WordedRule] => [
    name,
    ({ options, operands }) => unheld(packed(operands, !keeps(options)), "propose COMMAND -c FILE > OUTPUT"),
  ]),
  ...["zstd", "unzstd"].map((name): readonly [string, WordedRule] => [
    name,
    ({ options, operands }) =>
      unheld(packed(operands, options.includes("--rm")), "propose COMMAND -c FILE > OUTPUT"),
  ]),
  ...["less", "more", "most", "view"].map((name): readonly [string, WordedRule] => [
    name,
    ({ operands }) => all(operands, "read"),
  ]),
  ...["python", "python3", "node", "ruby", "php", "bash", "sh", "dash", "zsh"].map(
    (name): readonly [string, WordedRule] => [name, ({ args }) => all(scriptFile(args), "read")],
  ),
]);

/** `rsync` and `scp`: the last operand is written, and the others are read. A place with a colon is on another machine. */
function sent({ args, operands }: Words): readonly WordedChange[] {
  const values = valuesOf(args, "-e", "--rsh", "-i", "-o", "-P", "-F", "--exclude", "--include");
  const places = operands.filter((word) => !values.includes(word));
  const isLocal = (word: string): boolean => !/^[^/]+:/.test(word);
  const isMoved = args.includes("--remove-source-files");
  return [
    ...all(places.slice(0, -1).filter(isLocal), isMoved ? "delete" : "read", true),
    ...unheld(
      all(places.slice(-1).filter(isLocal), "write"),
      "propose cp -a, of which the question says what it brings",
    ),
  ];
}

/** `chmod`: a mode that takes rights away may look like an option. */
function modes({ options, operands }: Words): readonly WordedChange[] {
  const isGiven = options.some((word) => /^-[rwxXstugo]|^--reference/.test(word));
  const isTree = options.some((word) => /^-[cfvhHLP]*R|^--recursive$/.test(word));
  const files = all(isGiven ? operands : operands.slice(1), "write", isTree);
  const changes = made(files.map((change) => ({ ...change, replaces: true })));
  const given = [...options, ...operands.slice(0, 1)];
  return given.some(isClosing)
    ? unheld(changes, "no copy holds what is closed to its owner: leave that to the owner")
    : changes;
}

/** Whether a mode may take the right to read from the owner. */
function isClosing(mode: string): boolean {
  if (mode.startsWith("--")) return false;
  return mode.split(",").some((clause) => {
    const [, who = "", does] = /^([ugoa]*)([-+=].*)$/.exec(clause) ?? [];
    if (does === undefined || /^[-+=]?\d/.test(does)) return closingNumber.test(clause);
    return /^$|[ua]/.test(who) && /-[^-+=]*[rugo]|=(?![^-+=]*r)/.test(does);
  });
}

/** A number that gives the owner no right to read, or takes it. */
const closingNumber = /^=?0*(?:[0-7]?[0-3][0-7]{2}|[0-7]{1,2})$|^-0*[0-7]?[4-7][0-7]{2}$/;

function made(changes: readonly WordedChange[]): readonly WordedChange[] {
  return changes.map((change) => ({ ...change, made: true }));
}

/** Changes of which no copy holds all, with what to propose instead. */
function unheld(changes: readonly WordedChange[], why: string): readonly WordedChange[] {
  return changes.map((change) => (change.how === "read" ? change : { ...change, unheld: why }));
}

/** The file of `-d @file`, `--data=@file` and `-F name=@file`. */
function fileOfData(word: string): readonly string[] {
  const [, file] = /(?:^|=)@(.+)$/s.exec(word) ?? [];
  return file === undefined || file === "-" ? [] : [file];
}

/** `tar` (tar(1)): its archive is read or written, what it packs is read, and it unpacks into a folder. */
function tar({ args }: { readonly args: readonly string[] }): readonly WordedChange[] {
  const isFlags = (word: string, at: number): boolean =>
    /^-[A-Za-z]+$/.test(word) || (at === 0 && /^[A-Za-z]+$/.test(word));
  const letters = args.filter(isFlags).join("");
  const at = args.findIndex((word, index) => isFlags(word, index) && word.endsWith("f"));
  const archives = [...valuesOf(args, "--file"), ...(at < 0 ? [] : args.slice(at + 1, at + 2))];
  const isMade = /[cru]/.test(letters) || args.some((word) => /^--(?:create|append|update)$/.test(word));
  const files = args.filter(
    (word, index) => !isFlags(word, index) && !word.startsWith("-") && !archives.includes(word),
  );
  const isUnpacked = letters.includes("x") || args.some((word) => /^--(?:extract|get)$/.test(word));
  return [
    ...all(archives, isMade ? "write" : "read"),
    ...all(isMade ? files : [], "read", true),
    ...made(all(isUnpacked ? valuesOf(args, "-C", "--directory") : [], "write", true)),
  ];
}

const valuedBySplit = ["-a", "-b", "-C", "-l", "-n", "-t"].concat(
  ["--suffix-length", "--bytes", "--line-bytes", "--lines", "--number", "--separator"],
  ["--additional-suffix", "--filter"],
);

/** Operands that are not the value of an option before them. */
function withoutValues(
  args: readonly string[],
  operands: readonly string[],
  ...valued: readonly string[]
): readonly string[] {
  const isValue = (at: number): boolean => valued.includes(args[at - 1] ?? "");
  return args.filter((word, at) => operands.includes(word) && !isValue(at));
}

function keeps(options: readonly string[]): boolean {
  return options.some((word) =>
    /^-[A-Za-z]*[ckltV]|^--(?:stdout|to-stdout|keep|list|test|version)$/.test(word),
  );
}

function packed(operands: readonly string[], isRemoved: boolean): readonly WordedChange[] {
  return [...all(operands, "read"), ...all(isRemoved ? operands : [], "delete")];
}

/** The script that an interpreter runs: its first word, where no option gives the program. */
function scriptFile([first]: readonly string[]): readonly string[] {
  return first === undefined || first.startsWith("-") ? [] : [first];
}

/** The files of the programs that start a command: the lock of `flock`, the record of `script`, the list of `xargs`. */
export function wrapperFiles(argv: readonly string[]): readonly WordedChange[] {
  const found: WordedChange[] = [];
  for (let at = 0; at < argv.length; ) {
    const words = argv.slice(at, at + 64);
    const name = (words[0] ?? "").replace(/^.*\//, "");
    if (!wrapperTable.has(name)) break;
    const start = unwrapWords(argv.slice(at))?.start ?? words.length;
    for (const each of filesOfWrapper.get(name)?.(words.slice(1, start)) ?? []) found.push(each);
    at += Math.max(start, 1);
  }
  return found;
}

const filesOfWrapper: ReadonlyMap<string, (words: readonly string[]) => readonly WordedChange[]> = new Map([
  [
    "flock",
    (words: readonly string[]) => all(words.filter((word) => !word.startsWith("-")).slice(0, 1), "write"),
  ],
  [
    "script",
    (words: readonly string[]) => all(words.filter((word) => !word.startsWith("-")).slice(-1), "write"),
  ],
  ["time", (words: readonly string[]) => all(valuesOf(words, "-o", "--output"), "write")],
  ["xargs", (words: readonly string[]) => all(valuesOf(words, "-a", "--arg-file"), "read")],
]);

import { makeOptionTable, type OptionTable, readLeadingOptions } from "./options.ts";
import { doubt, type PathUse, type Proof, type Prove, type WrapperRule } from "./proof.ts";

/** `timeout` (timeout(1)): a duration, and then a command. */
export const timeoutRule: WrapperRule = (args, name, prove) =>
  startsCommand(args, name, {
    table: timeoutOptions,
    isOwn: (word) => /^\d+(?:\.\d+)?[smhd]?$/.test(word),
    own: 1,
    prove,
  });

/** `nice` (nice(1)): its options, and then a command. */
export const niceRule: WrapperRule = (args, name, prove) =>
  startsCommand(args, name, { table: niceOptions, isOwn: () => false, own: 0, prove });

/** `stdbuf` (stdbuf(1)): its options, and then a command. */
export const stdbufRule: WrapperRule = (args, name, prove) =>
  startsCommand(args, name, { table: stdbufOptions, isOwn: () => false, own: 0, prove });

/** `env` (env(1)) with variables that choose a language or a time zone, and a command. Without a command it would print the environment. */
export const envRule: WrapperRule = (args, name, prove) => {
  const own = args.findIndex((word) => !isLanguage(word));
  return startsCommand(args, name, { table: noOptions, isOwn: isLanguage, own: Math.max(own, 0), prove });
};

const noOptions = makeOptionTable("");
const timeoutOptions = makeOptionTable(
  "-k= -s= -v --kill-after= --signal= --foreground --preserve-status --verbose",
);
const niceOptions = makeOptionTable("-n= -# --adjustment=");
const stdbufOptions = makeOptionTable("-i= -o= -e= --input= --output= --error=");

function isLanguage(word: string): boolean {
  return (
    /^(?:LANG|LC_[A-Z]+)=[A-Za-z0-9_.@-]*$/.test(word) || /^TZ=[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(word)
  );
}

type Wrapper = {
  readonly table: OptionTable;
  /** Whether a word before the command is the wrapper's own, and how many there are. */
  readonly isOwn: (word: string) => boolean;
  readonly own: number;
  readonly prove: Prove;
};

function startsCommand(args: readonly string[], name: string, wrapper: Wrapper): Proof {
  const read = readLeadingOptions(args, wrapper.table);
  if (!read.ok) return doubt(read.doubt);
  const own = read.rest.slice(0, wrapper.own);
  const command = read.rest.slice(wrapper.own);
  if (own.length < wrapper.own || !own.every(wrapper.isOwn) || command.length === 0)
    return doubt(`${name} is not known with these words`);
  return wrapped([name, ...args.slice(0, args.length - command.length)], wrapper.prove(command), command);
}

/** The proof of a command behind the words that start it. */
function wrapped(words: readonly string[], proof: Proof, command: readonly string[]): Proof {
  if (!proof.harmless) return proof;
  return {
    ...proof,
    argv: [...words, ...proof.argv],
    starts: proof.starts ?? command[0] ?? "",
    ...(proof.exclusion === undefined
      ? {}
      : { exclusion: { ...proof.exclusion, at: proof.exclusion.at + words.length } }),
  };
}

/** Programs that only read whatever words they are given: no option of theirs writes, runs or connects. Those of the first list open no file. */
const namesOnly = new Set("echo basename dirname ls readlink realpath".split(" "));
const withContents = new Set(
  "cat wc head md5sum sha1sum sha256sum sha512sum b2sum cksum grep egrep fgrep nl tac rev od cut stat du".split(
    " ",
  ),
);

type UnknownWords = {
  /** The words that start the command, and the command itself. */
  readonly words: readonly string[];
  readonly command: readonly string[];
  /** Where the files are that it can be given. */
  readonly folders: readonly string[];
};

/**
 * The proof of a program that gets further words which nobody knows yet: names from `find`, or lines of a text. It holds in the sandbox,
 * where it can read no more than the workspace without its secrets.
 */
export function proveWithUnknownWords({ words, command, folders }: UnknownWords, prove: Prove): Proof {
  const [program = ""] = command;
  const name = program.replace(/^(?:\/usr)?\/bin\//, "");
  if (!namesOnly.has(name) && !withContents.has(name))
    return doubt(`${name} is not known to be harmless with words that are not known yet`);
  const proof = wrapped(words, prove(command), command);
  if (!proof.harmless) return proof;
  const access = namesOnly.has(name) ? "names" : "contents";
  const inside = folders.map((path): PathUse => ({ path, access, tree: true }));
  return {
    ...proof,
    reads: [...proof.reads, ...inside],
    onlyConfined: `${name} gets its words from what another program prints`,
  };
}

const xargsOptions = makeOptionTable(
  "-0 -r -t -x -I= -n= -L= -P= -s= -d= -E= --null --no-run-if-empty --verbose --exit --replace= --max-args= --max-lines= --max-procs= " +
    "--max-chars= --delimiter= --eof=",
);

/** `xargs` (xargs(1)) before a program that only reads, whatever its words are. */
export const xargsRule: WrapperRule = (args, name, prove) => {
  const read = readLeadingOptions(args, xargsOptions);
  if (!read.ok) return doubt(read.doubt);
  const command = read.rest.length === 0 ? ["echo"] : read.rest;
  const replaced = read.options.filter(({ name: option }) => option === "-I" || option === "--replace");
  if (replaced.some(({ value }) => value === "" || command[0]?.includes(value) === true))
    return doubt("xargs would replace the name of the program");
  const words = [name, ...args.slice(0, args.length - read.rest.length)];
  return proveWithUnknownWords({ words, command, folders: ["."] }, prove);
};

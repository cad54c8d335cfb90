import { makeOptionTable, readLeadingOptions } from "./options.ts";
import { doubt, type PathUse, type Proof, type Prove, type WrapperRule } from "./proof.ts";
import { timedCommand, unwrapWords } from "./unwrap-words.ts";
import { versionOnlyRule } from "./version-only.ts";
import { wrapperTable } from "./wrapper-table.ts";

/** A program of the table of wrappers, before a command that only reads. */
export const wrapperRule: WrapperRule = (args, name, prove) => {
  const found = unwrapWords([name, ...args]);
  if (found === null) return doubt(`${name} is not known with these words`);
  const command = args.slice(found.start - 1);
  if (found.doubt !== null) return doubt(found.doubt);
  return wrapped([name, ...args.slice(0, found.start - 1)], prove(command), command);
};

/** A shell: with `--version`, and with a text that only times the command in its words. */
export const shellRule: WrapperRule = (args, name, prove) => {
  const timed = timedCommand([name, ...args]);
  if (timed === null || timed.length === 0) return versionOnlyRule(args, name);
  return wrapped([name, ...args.slice(0, args.length - timed.length)], prove(timed), timed);
};

/** The proof of a command behind the words that start it. */
function wrapped(words: readonly string[], proof: Proof, command: readonly string[]): Proof {
  if (!proof.harmless) return proof;
  return {
    ...proof,
    argv: [...words, ...proof.argv],
    starts: [command[0] ?? "", ...(proof.starts ?? [])],
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

const xargsOptions = makeOptionTable(wrapperTable.get("xargs")?.options ?? "");

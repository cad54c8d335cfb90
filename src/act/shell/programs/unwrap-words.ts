import { makeOptionTable, type OptionTable, readLeadingOptions } from "./options.ts";
import { type WrapperSpec, wrapperTable } from "./wrapper-table.ts";

/** A command behind the words of a program that starts it. */
export type Unwrapped = {
  readonly wrapper: WrapperSpec;
  /** Index of its first word; the number of words where it is a text. */
  readonly start: number;
  /** The command where the wrapper takes it as a text for a shell; null where it takes words. */
  readonly text: string | null;
  /** Why the wrapper does more than start it; null where it does not. */
  readonly doubt: string | null;
};

const ownShell = ["bash", "--noprofile", "--norc", "-c"];

/** The words by which this program runs a text as the script of one bash. */
export function asScript(text: string): readonly string[] {
  return [...ownShell, text];
}

/** Whether words run a text as `asScript` does. A bash that the line itself starts with a file does not. */
export function isScript(argv: readonly string[]): boolean {
  return ownShell.every((word, at) => argv[at] === word);
}

/** A shell that runs one text with its words as they are. A word of the shell, such as `time`, is run by it. */
export function throughShell(word: string, args: readonly string[], options = ""): readonly string[] {
  return [...asScript(`${word}${options} "$@"`), word, ...args];
}

const timed = throughShell("time", []);
const timedPosix = throughShell("time", [], " -p");

/** The words behind `throughShell("time", …)`; null for any other command. */
export function timedCommand(argv: readonly string[]): readonly string[] | null {
  const isTimed = [timed, timedPosix].some((words) => words.every((word, at) => argv[at] === word));
  return isTimed ? argv.slice(timed.length) : null;
}

/** The command that a program starts, by the table of wrappers. Null for a program that is not in it, and for one that starts nothing. */
export function unwrapWords(argv: readonly string[]): Unwrapped | null {
  return unwrapAt(argv, 0);
}

/** The command behind all programs that start it on this machine. */
export function withoutWrappers(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let inner = unwrapAt(argv, at); inner !== null; inner = unwrapAt(argv, at)) {
    if (inner.wrapper.elsewhere === true || inner.start === argv.length) break;
    at = inner.start;
  }
  return argv.slice(at);
}

/** The name of the program that runs behind all programs that start it. */
export function startedProgram(argv: readonly string[]): string {
  return baseName(withoutWrappers(argv)[0]);
}

/** How many words a wrapper may have of its own. */
const mostWords = 64;

function unwrapAt(argv: readonly string[], at: number): Unwrapped | null {
  const isTimed = timedCommand(argv.slice(at, at + timed.length + 1)) !== null;
  const first = at + (isTimed ? timed.length : 1);
  const name = isTimed ? "time" : baseName(argv[at]);
  const wrapper = wrapperTable.get(name);
  if (wrapper === undefined) return null;
  const near = argv.slice(first, first + mostWords);
  const { words, asked, script, doubt } = readOptions(near, wrapper, name);
  const own = ownWords(words, wrapper);
  const behind = words.slice(own.length);
  const late = wrapper.script?.includes(behind[0] ?? "") === true ? (behind[1] ?? "") : null;
  const text = script ?? late;
  const start = text === null ? first + near.length - behind.length : argv.length;
  if (start >= argv.length && text === null) return null;
  const isPlain = own.every((word) => wrapper.harmlessOwn?.test(word) === true);
  const place = wrapper.elsewhere === true ? ` (${own.join(" ")})` : "";
  const more = wrapper.asks === undefined ? (asked ?? doubt) : `${wrapper.asks}${place}`;
  return {
    wrapper,
    start,
    text: text ?? (wrapper.joins === true ? argv.slice(start).join(" ") : null),
    doubt: more ?? (isPlain ? null : `${name} is not known with these words`),
  };
}

/** The text that a shell would run, behind all programs that start it; null where no shell is started with one. */
export function scriptOf(argv: readonly string[]): string | null {
  const words = withoutWrappers(argv);
  const inner = unwrapWords(words);
  if (inner !== null) return inner.wrapper.elsewhere === true ? null : inner.text;
  const [program, ...args] = words;
  if (!/^(?:ba|da|z|k)?sh$/.test(baseName(program))) return null;
  const at = args.findIndex((word) => /^-\w*c$/.test(word));
  return at < 0 ? null : (args[at + 1] ?? null);
}

/** The commands that `find` starts with the files that it finds, dangerous or not. */
export function startedByFind(argv: readonly string[]): readonly (readonly string[])[] {
  const words = withoutWrappers(argv);
  if (baseName(words[0]) !== "find") return [];
  return words.flatMap((word, at) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(word)) return [];
    const behind = words.slice(at + 1);
    const end = behind.findIndex(
      (each, index) => each === ";" || (each === "+" && behind[index - 1] === "{}"),
    );
    return [end < 0 ? behind : behind.slice(0, end)];
  });
}

/** The last part of a program's path. */
export function baseName(program = ""): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

type Options = {
  /** What stands behind the options. */
  readonly words: readonly string[];
  readonly asked: string | null;
  readonly script: string | null;
  readonly doubt: string | null;
};

/** Reads the options of a wrapper. Of those that are not known only the first letters are: they are skipped, and asked about. */
function readOptions(args: readonly string[], wrapper: WrapperSpec, name: string): Options {
  const read = readLeadingOptions(args, tableOf(wrapper));
  if (!read.ok) {
    const at = args.findIndex((word) => !/^-|^\d/.test(word));
    return { words: at < 0 ? [] : args.slice(at), asked: null, script: null, doubt: read.doubt };
  }
  const asking = askingOf(wrapper)();
  const option = read.options.find((each) => asking.has(each.name));
  const script = read.options.find((each) => wrapper.script?.includes(each.name) === true);
  return {
    words: read.rest,
    asked: option === undefined ? null : `${name} is not known to be harmless with ${option.name}`,
    script: script?.value ?? null,
    doubt: null,
  };
}

function ownWords(words: readonly string[], { own = 0 }: WrapperSpec): readonly string[] {
  if (typeof own === "number") return words.slice(0, own);
  const end = words.findIndex((word) => !own.test(word));
  return words.slice(0, end < 0 ? words.length : end);
}

const tables = new Map<WrapperSpec, { readonly all: OptionTable; readonly asking: OptionTable }>(
  [...wrapperTable.values()].map((wrapper) => {
    const { options, asking = "" } = wrapper;
    return [wrapper, { all: makeOptionTable(`${options} ${asking}`), asking: makeOptionTable(asking) }];
  }),
);
const none = makeOptionTable("");

function tableOf(wrapper: WrapperSpec): OptionTable {
  return tables.get(wrapper)?.all ?? none;
}

function askingOf(wrapper: WrapperSpec): OptionTable {
  return tables.get(wrapper)?.asking ?? none;
}

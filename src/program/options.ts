import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Io } from "../kernel/io.ts";
import type { ArgumentSpec, CommandSpec, VerbSpec } from "../text/command-spec.ts";
import { insteadOf } from "../text/familiar-words.ts";
import { helpOf } from "../text/help-text.ts";
import { nearestName } from "../text/nearest-name.ts";
import { HelpRequest, usageError } from "./io.ts";

type Typed<Options, Verb extends VerbSpec> = Omit<CommandSpec, "options" | "verbs"> & {
  readonly options: Options;
  readonly verbs?: readonly Verb[];
};

/**
 * Parses the arguments of a command strictly, by its spec: options, then as many words as it takes. `--help` throws a `HelpRequest`; wrong usage throws a
 * `UsageError` with the command's synopsis.
 */
export function parseCommand<Options extends CommandSpec["options"]>(io: Io, spec: Typed<Options, VerbSpec>) {
  const { values, words, given } = parseWords(io, spec);
  refuseMisuse(spec, { verb: null, given, words });
  return { values, words };
}

/** As `parseCommand`, for a command whose first word is a verb. */
export function parseVerb<Options extends CommandSpec["options"], Verb extends VerbSpec>(
  io: Io,
  spec: Typed<Options, Verb> & { readonly verbs: readonly Verb[] },
): { readonly verb: Verb["name"] } & ReturnType<typeof parseCommand<Options>> {
  const { values, words, given } = parseWords(io, spec);
  const [first = spec.usualVerb, ...rest] = words;
  const verb = spec.verbs.find(({ name }) => name === first);
  if (verb === undefined) throw usageError(noVerb(spec, first), spec);
  refuseMisuse(spec, { verb, given, words: rest });
  return { verb: verb.name, values, words: rest };
}

function parseWords<Options extends CommandSpec["options"]>(io: Io, spec: Typed<Options, VerbSpec>) {
  const { options } = spec;
  const args = joinNegativeNumbers(io.args, options);
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  if (before.includes("--help") || before.includes("-h")) throw new HelpRequest(helpOf(spec));
  const given = givenOptions(args, options);
  if (typeof given === "string") throw usageError(given, spec);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
  return { values, words: positionals, given };
}

/** Turns `--from -1w` into `--from=-1w`: a negative number is a value, but parseArgs would take it for an option. */
function joinNegativeNumbers(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const known = new Map(Object.entries(options));
  const joined: string[] = [];
  let mayBeOption = true;
  for (const arg of args) {
    const before = joined.at(-1) ?? "";
    if (
      mayBeOption &&
      /^-\d/.test(arg) &&
      before.startsWith("--") &&
      known.get(before.slice(2))?.type === "string"
    ) {
      joined.splice(-1, 1, `${before}=${arg}`);
    } else joined.push(arg);
    mayBeOption &&= arg !== "--";
  }
  return joined;
}

/** The options that were given, or what is wrong with the first wrong one. */
function givenOptions(args: readonly string[], options: ParseArgsOptionsConfig): readonly string[] | string {
  const known = new Map(Object.entries(options));
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const names: string[] = [];
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = known.get(name);
    if (option === undefined) return unknownOption(rawName, [...known.keys()]);
    if (option.type === "boolean" && value !== undefined) return `${rawName} takes no value.`;
    if (option.type === "string" && (value ?? "") === "") return `${rawName} needs a value.`;
    if (option.type === "string" && inlineValue === false && value?.startsWith("-") === true)
      return `${rawName} needs a value, but '${value}' looks like an option.`;
    names.push(name);
  }
  return names;
}

function unknownOption(rawName: string, known: readonly string[]): string {
  const instead = insteadOf(rawName);
  if (instead !== null) return `There is no option ${rawName}. ${instead}`;
  const near = nearestName(
    rawName,
    known.map((name) => `--${name}`),
  );
  const question = near === null ? "" : ` Did you mean ${near}?`;
  return `Unknown option ${rawName}.${question} Put '--' before words that begin with a hyphen.`;
}

function noVerb({ name, verbs = [] }: CommandSpec, first: string | undefined): string {
  const names = verbs.map((known) => known.name);
  const instead = first === undefined ? null : insteadOf(`${name}/${first}`);
  if (instead !== null) return `There is no command '${name} ${first}'. ${instead}`;
  const near = first === undefined ? null : nearestName(first, names);
  return `${name} needs one of ${names.join(", ")}.${near === null ? "" : ` Did you mean ${near}?`}`;
}

type Given = {
  readonly verb: VerbSpec | null;
  /** The names of the options. */
  readonly given: readonly string[];
  readonly words: readonly string[];
};

function refuseMisuse(spec: CommandSpec, { verb, given, words }: Given): void {
  const name = verb === null ? spec.name : `${spec.name} ${verb.name}`;
  const taken = (verb ?? spec).arguments ?? [];
  const problem =
    findMisuse(spec, { verb: verb?.name ?? null, given }) ??
    findMiscount(words, { name, taken, surplus: spec.surplus });
  if (problem !== null) throw usageError(problem, spec);
}

/** What is wrong with options that each are known: two that exclude each other, one of another verb, or one that stands alone. */
function findMisuse(
  { name, options, either = [] }: CommandSpec,
  { verb, given }: { readonly verb: string | null; readonly given: readonly string[] },
): string | null {
  for (const group of either) {
    const [one, other] = group.filter((each) => given.includes(each));
    if (other !== undefined) return `Use either --${one} or --${other}, not both.`;
  }
  for (const each of given) {
    const { verbs, beside } = options[each] ?? {};
    if (verb !== null && verbs?.includes(verb) === false)
      return `--${each} is an option of ${name} ${verbs.join(" and ")}, not of ${name} ${verb}.`;
    if (beside?.some((host) => given.includes(host)) === false)
      return `--${each} needs --${beside.join(" or --")} beside it.`;
  }
  return null;
}

/** What is wrong with the number of words; null where they are as many as are taken. */
function findMiscount(words: readonly string[], { name, taken, surplus }: Taken): string | null {
  const fewest = taken.filter(({ form }) => !form.startsWith("[")).length;
  const missing = taken[words.length];
  if (words.length < fewest && missing !== undefined)
    return `${name} needs ${missing.called ?? `one ${missing.form}`}.`;
  const isOpen = taken.some(({ form, words: all }) => all === true || form.includes("…"));
  if (isOpen || words.length <= taken.length) return null;
  const instead = surplus === undefined ? "" : `: ${surplus}`;
  return taken.length === 0
    ? `Unexpected argument '${words[0]}'${instead}.`
    : `Too many arguments${instead}.`;
}

/** What a command, or a verb of one, takes. */
type Taken = {
  readonly name: string;
  readonly taken: readonly ArgumentSpec[];
  readonly surplus: string | undefined;
};

import type { ExclusionForm } from "./exclusions.ts";
import { makeOptionTable, type OptionsAndOperands, type OptionTable, readArguments } from "./options.ts";
import { doubt, type PathUse, type ProgramRule } from "./proof.ts";

/**
 * What the operands of a program are: none at all; words; files of which it shows no more than name and state (`names`); files that it reads (`contents`);
 * or a pattern, unless an option gave it, and then files that it reads.
 */
export type OperandKind = "none" | "words" | "names" | "contents" | "pattern";

/** A program with ordinary options: its operands and its exact options. */
export type ProgramSpec = {
  /** The manual page that the entry was made from: its name and section, the package and the version. */
  readonly page: string;
  readonly operands: OperandKind;
  /** The options that only read, in the notation of `makeOptionTable`. `--help` and `--version` are always allowed. */
  readonly options: string;
  /** How many operands it may have; any number where this is left out. */
  readonly maxOperands?: number;
  /** The path that the program reads where no operand is given. */
  readonly defaultOperand?: string;
  /** Whether operands are read with everything below them: always, or only with one of these options. */
  readonly tree?: true | readonly string[];
  /** The options with which it reads files that its input names. It is then harmless in the sandbox only. */
  readonly readsNamed?: readonly string[];
  /** Options put before the others, to keep the program from running others or following links. */
  readonly addedOptions?: readonly string[];
  /** For `pattern`: the options that give the pattern. With one of them every operand is read. */
  readonly patternOptions?: readonly string[];
  /** How it leaves files out where it searches folders. */
  readonly exclusion?: ExclusionForm;
  /** The reason why these arguments are harmless in the sandbox only, or null. */
  readonly onlyConfined?: (args: KnownArguments) => string | null;
  /** A further condition: the reason why these arguments are not harmless, or null. */
  readonly refuse?: (args: KnownArguments) => string | null;
};

/** Arguments whose options are all in the table. */
export type KnownArguments = Extract<OptionsAndOperands, { readonly ok: true }>;

/** Makes the rule of a program with ordinary options. */
export function makeProgramRule(spec: ProgramSpec): ProgramRule {
  const table: OptionTable = makeOptionTable(`${spec.options} --help --version`);
  return (args, name) => {
    const read = readArguments(args, table);
    if (!read.ok) return doubt(read.doubt);
    const operands = readOperands(read, spec);
    if (spec.operands === "none" && read.operands.length > 0)
      return doubt(`${name} is not known with operands`);
    if (spec.maxOperands !== undefined && read.operands.length > spec.maxOperands) {
      return doubt(`${name} is not known to be harmless with more than ${spec.maxOperands} operands`);
    }
    const refused = spec.refuse?.(read) ?? null;
    if (refused !== null) return doubt(refused);
    const argv = [name, ...(spec.addedOptions ?? []), ...args];
    const at = argv.length - args.length + read.endOfOptions;
    const named = read.options.some((option) => spec.readsNamed?.includes(option.name) === true);
    const onlyConfined = named
      ? `${name} reads the files that its input names`
      : (spec.onlyConfined?.(read) ?? null);
    return {
      harmless: true,
      reads: [...optionReads(read), ...operands, ...(named ? [inWorkspace] : [])],
      argv,
      why: `${name} only reads`,
      ...(spec.exclusion === undefined ? {} : { exclusion: { form: spec.exclusion, at } }),
      ...(onlyConfined === null ? {} : { onlyConfined }),
    };
  };
}

/** What a program may read in the sandbox whose files are not among its words. */
const inWorkspace: PathUse = { path: ".", access: "contents", tree: true };

function optionReads(read: KnownArguments): readonly PathUse[] {
  return read.options.flatMap(({ kind, value }) =>
    kind === "contents" || kind === "names" ? [{ path: value, access: kind, tree: false }] : [],
  );
}

function readOperands(read: KnownArguments, spec: ProgramSpec): readonly PathUse[] {
  if (spec.operands === "none" || spec.operands === "words") return [];
  const has = (names: readonly string[]): boolean => read.options.some(({ name }) => names.includes(name));
  const tree = spec.tree === true || (spec.tree !== undefined && has(spec.tree));
  const skipped = spec.operands === "pattern" && !has(spec.patternOptions ?? []) ? 1 : 0;
  const given = read.operands.slice(skipped);
  const access = spec.operands === "names" ? "names" : "contents";
  const bare = read.operands.length === skipped;
  const byDefault = spec.defaultOperand !== undefined && bare && (spec.operands === "names" || tree);
  const paths = byDefault ? [spec.defaultOperand] : given;
  return paths.map((path) => ({ path, access, tree }));
}

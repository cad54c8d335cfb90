import { type ArgumentsReading, makeOptionTable, type OptionTable, readArguments } from "./options.ts";
import { doubt, type PathUse, type ProgramRule } from "./proof.ts";

/** What the operands of a program are. `pattern` means: the first is a word (unless an option gave it), the others are read. */
export type OperandKind = "none" | "words" | "names" | "contents" | "pattern";

/** How a program with ordinary options is read. */
export type ProgramSpec = {
  readonly operands: OperandKind;
  /** See `optionTable`. */
  readonly options: string;
  readonly maxOperands?: number;
  /** Read where no operand is given. */
  readonly defaultOperand?: string;
  /** Always a tree, or only with one of these options. */
  readonly tree?: true | readonly string[];
  /** Words put before the others, which switch off what the program could otherwise run or follow. */
  readonly addedOptions?: readonly string[];
  /** For `pattern`: the options that give the pattern, so that every operand is read. */
  readonly patternOptions?: readonly string[];
  /** A further condition: a reason where these arguments are not harmless. */
  readonly refuse?: (sorted: ReadArguments) => string | null;
};

export type ReadArguments = Extract<ArgumentsReading, { readonly ok: true }>;

/** Makes the rule of a program with ordinary options. */
export function makeProgramRule(shape: ProgramSpec): ProgramRule {
  const table: OptionTable = makeOptionTable(`${shape.options} --help --version`);
  return (args, name) => {
    const sorted = readArguments(args, table);
    if (!sorted.ok) return doubt(sorted.doubt);
    const operands = readOperands(sorted, shape);
    if (shape.operands === "none" && sorted.operands.length > 0)
      return doubt(`${name} is not known with operands`);
    if (shape.maxOperands !== undefined && sorted.operands.length > shape.maxOperands) {
      return doubt(`${name} is not known to be harmless with more than ${shape.maxOperands} operands`);
    }
    const refused = shape.refuse?.(sorted) ?? null;
    if (refused !== null) return doubt(refused);
    const argv = [name, ...(shape.addedOptions ?? []), ...args];
    return { harmless: true, reads: [...optionReads(sorted), ...operands], argv, why: `${name} only reads` };
  };
}

function optionReads(sorted: ReadArguments): readonly PathUse[] {
  return sorted.options.flatMap(({ kind, value }) =>
    (kind === "contents" || kind === "names") && value !== "-"
      ? [{ path: value, access: kind, tree: false }]
      : [],
  );
}

function readOperands(sorted: ReadArguments, shape: ProgramSpec): readonly PathUse[] {
  if (shape.operands === "none" || shape.operands === "words") return [];
  const has = (names: readonly string[]): boolean => sorted.options.some(({ name }) => names.includes(name));
  const tree = shape.tree === true || (shape.tree !== undefined && has(shape.tree));
  const skipped = shape.operands === "pattern" && !has(shape.patternOptions ?? []) ? 1 : 0;
  const given = sorted.operands.slice(skipped).filter((operand) => operand !== "-");
  const access = shape.operands === "names" ? "names" : "contents";
  const bare = sorted.operands.length === skipped;
  const byDefault = shape.defaultOperand !== undefined && bare && (shape.operands === "names" || tree);
  const paths = byDefault ? [shape.defaultOperand] : given;
  return paths.map((path) => ({ path, access, tree }));
}

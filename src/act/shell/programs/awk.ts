import { isHarmlessAwk } from "./awk-program.ts";
import { makeOptionTable, readLeadingOptions } from "./options.ts";
import { doubt, type ProgramRule, printsOnly } from "./proof.ts";

const table = makeOptionTable("-F= -v= --field-separator= --assign= --version --help");

/** `awk` (POSIX; gawk(1), mawk(1)) with a program that only computes and prints. Words behind the program are assignments, or files that it reads. */
export const awkRule: ProgramRule = (args, name) => {
  const read = readLeadingOptions(args, table);
  if (!read.ok) return doubt(read.doubt);
  const [program, ...operands] = read.rest;
  if (program === undefined) {
    return args.length === 1 && read.options[0]?.kind === "flag"
      ? printsOnly(name, args)
      : doubt(`${name} lacks its program`);
  }
  if (program.startsWith("-")) return doubt(`it is not known which word is the program of ${name}`);
  if (operands.some((word) => word.startsWith("-") && word !== "-"))
    return doubt(`${name} takes options behind its program as files`);
  const assigned = [...read.options.map(({ value }) => value), ...operands.filter(isAssignment)];
  if (assigned.some((value) => /^(?:ENVIRON|PROCINFO|ARGV|ARGC|FUNCTAB|SYMTAB)=/.test(value)))
    return doubt(`${name} sets a variable that names other files`);
  if (!isHarmlessAwk(program)) return doubt(`the program of ${name} is not known to be harmless`);
  const files = operands.filter((operand) => !isAssignment(operand));
  return {
    harmless: true,
    reads: files.map((path) => ({ path, access: "contents", tree: false })),
    argv: [name, ...args],
    why: `${name} only prints`,
  };
};

function isAssignment(operand: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*=/.test(operand);
}

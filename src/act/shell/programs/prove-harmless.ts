import { doubt, type Proof } from "./proof.ts";
import { readOnlyPrograms } from "./read-only-programs.ts";

/**
 * Proves that a command only reads, or says why it cannot. This is a positive grammar: a program, an option or an operand
 * that is not listed is a doubt. Pure; it does not decide which paths may be read.
 */
export function proveHarmless(argv: readonly string[]): Proof {
  const [program = "", ...args] = argv;
  const name = program.replace(/^(?:\/usr)?\/bin\//, "");
  if (argv.some((word) => word.includes("\0"))) return doubt("it holds a NUL character");
  if (name.includes("/")) return doubt(`${program} is not the name of a system program`);
  const rule = readOnlyPrograms.get(name)?.rule;
  if (rule === undefined) return doubt(`${name} is not known to be harmless`);
  const proof = rule(args, name, proveHarmless);
  if (!proof.harmless || name === program) return proof;
  return {
    ...proof,
    argv: [proof.argv[0] === name ? program : (proof.argv[0] ?? program), ...proof.argv.slice(1)],
  };
}

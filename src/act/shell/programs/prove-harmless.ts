import { fileRules } from "./file-programs.ts";
import { findRule } from "./find.ts";
import { gitRule } from "./git.ts";
import { doubt, type ProgramRule, type Proof } from "./proof.ts";
import { sedRule } from "./sed.ts";
import { systemRules } from "./system-programs.ts";
import { textRules } from "./text-programs.ts";

const rules: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...fileRules,
  ...textRules,
  ...systemRules,
  ["find", findRule],
  ["git", gitRule],
  ["sed", sedRule],
]);

/**
 * Proves that a command only reads, or says why it cannot. A positive grammar: a program, an option or an operand
 * that is not in it is a doubt. Pure; says nothing of which paths may be read.
 */
export function proveHarmless(argv: readonly string[]): Proof {
  const [program = "", ...args] = argv;
  const name = program.replace(/^(?:\/usr)?\/bin\//, "");
  if (argv.some((word) => word.includes("\0"))) return doubt("it holds a NUL character");
  if (name.includes("/")) return doubt(`${program} is not a program of the system by its name`);
  const rule = rules.get(name);
  if (rule === undefined) return doubt(`${name} is not known to be harmless`);
  const proof = rule(args, name);
  if (!proof.harmless || name === program) return proof;
  return {
    ...proof,
    argv: [proof.argv[0] === name ? program : (proof.argv[0] ?? program), ...proof.argv.slice(1)],
  };
}

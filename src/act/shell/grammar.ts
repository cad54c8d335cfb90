import { fileRules } from "./file-rules.ts";
import { findRule } from "./find-rule.ts";
import { gitRule } from "./git-rule.ts";
import { doubt, type Proof, type Rule } from "./proof.ts";
import { sedRule } from "./sed-rule.ts";
import { systemRules } from "./system-rules.ts";
import { textRules } from "./text-rules.ts";

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
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
export function prove(argv: readonly string[]): Proof {
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

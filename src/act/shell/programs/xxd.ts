import { doubt, type ProgramRule } from "./proof.ts";

/** `xxd` reads its options as whole words and writes to its second operand. */
export const xxdRule: ProgramRule = (args, name) => {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (/^-(?:a|b|C|e|E|i|p|ps|u|[cglos][0-9]+)$/.test(word)) continue;
    if (/^-[cglos]$/.test(word) && /^[0-9]+$/.test(args[at + 1] ?? "")) at += 1;
    else if (word.startsWith("-") && word !== "-")
      return doubt(`the option ${word} is not known to be harmless`);
    else operands.push(word);
  }
  if (operands.length > 1) return doubt("xxd writes to its second operand");
  const reads = operands.map((path) => ({ path, access: "contents" as const, tree: false }));
  return { harmless: true, reads, argv: [name, ...args], why: "xxd only reads" };
};

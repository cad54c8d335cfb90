import { doubt, type ProgramRule, printsOnly } from "./proof.ts";
import { throughShell } from "./unwrap-words.ts";

/** `echo`, `true`, `false` and `expr`: they print or compute from their words alone. */
export const wordsOnlyRule: ProgramRule = (args, name) => printsOnly(name, args);

/** `printf` without options. */
export const printfRule: ProgramRule = (args, name) =>
  args[0]?.startsWith("-") === true && args[0] !== "--"
    ? doubt("printf with options is not known")
    : printsOnly(name, args);

/** `type`, a builtin of the shell: it runs in a bash that reads no start-up files. */
export const typeRule: ProgramRule = (args, name) => {
  const operands = args.filter((word) => !/^-[aftpP]+$/.test(word));
  return operands.some((word) => word.startsWith("-"))
    ? doubt("type is not known with these options")
    : {
        ...printsOnly(name, args),
        argv: throughShell("type", args),
      };
};

/** `command -v`, a builtin of the shell that tells where programs are. */
export const commandRule: ProgramRule = (args, name) => {
  const [option = "", ...names] = args;
  return /^-[vV]$/.test(option) && names.every((word) => !word.startsWith("-"))
    ? { ...printsOnly(name, args), argv: throughShell("command", args) }
    : doubt("command is not known with these words");
};

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { HelpRequest, type Io, UsageError } from "./io.ts";

/** Parses a command's options strictly. `--help` throws `UsageAsked`; a wrong option is a `UsageError` that ends with how the command is used. */
export function parseOptions<T extends ParseArgsOptionsConfig>(io: Io, usage: string, options: T) {
  const args = joinNumbers(io.args, options);
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  if (before.includes("--help") || before.includes("-h")) throw new HelpRequest(`Usage: ${usage}`);
  const wrong = findWrong(args, options);
  if (wrong !== null) throw new UsageError(`${wrong}\nUsage: ${usage}`);
  return parseArgs({ args, options, allowPositionals: true, strict: true });
}

/** `--from -1w` as `--from=-1w`: a number below zero is a value, where parseArgs takes it for an option. */
function joinNumbers(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const known = new Map(Object.entries(options));
  const joined: string[] = [];
  let isOption = true;
  for (const arg of args) {
    const before = joined.at(-1) ?? "";
    if (
      isOption &&
      /^-\d/.test(arg) &&
      before.startsWith("--") &&
      known.get(before.slice(2))?.type === "string"
    ) {
      joined.splice(-1, 1, `${before}=${arg}`);
    } else joined.push(arg);
    isOption &&= arg !== "--";
  }
  return joined;
}

/** What is wrong with the first wrong option, in words; null where each is one that the command has. */
function findWrong(args: readonly string[], options: ParseArgsOptionsConfig): string | null {
  const known = new Map(Object.entries(options));
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, value, inlineValue } = token;
    const option = known.get(token.name);
    if (option === undefined) {
      return `There is no option ${rawName} here. Words that begin with a hyphen go after '--'.`;
    }
    if (option.type === "boolean" && value !== undefined) return `${rawName} takes no value.`;
    if (option.type === "string" && (value ?? "") === "") return `${rawName} needs a value.`;
    if (option.type === "string" && inlineValue === false && value?.startsWith("-") === true) {
      return `${rawName} needs a value, and '${value}' looks like an option.`;
    }
  }
  return null;
}

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { nearestName } from "../../signal/nearest-name.ts";
import { HelpRequest, type Io, usageError } from "./io.ts";

/** Parses a command's options strictly. `--help` throws a `HelpRequest`; a wrong option throws a `UsageError` with the command's synopsis. */
export function parseOptions<T extends ParseArgsOptionsConfig>(io: Io, help: string, options: T) {
  const args = joinNegativeNumbers(io.args, options);
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  if (before.includes("--help") || before.includes("-h")) throw new HelpRequest(`Usage: ${help}`);
  const problem = findProblem(args, options);
  if (problem !== null) throw usageError(problem, help);
  return parseArgs({ args, options, allowPositionals: true, strict: true });
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

/** Describes the first wrong option; null if the command has every option. */
function findProblem(args: readonly string[], options: ParseArgsOptionsConfig): string | null {
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
      const near = nearestName(
        rawName,
        Object.keys(options).map((name) => `--${name}`),
      );
      const question = near === null ? "" : ` Did you mean ${near}?`;
      return `Unknown option ${rawName}.${question} Put '--' before words that begin with a hyphen.`;
    }
    if (option.type === "boolean" && value !== undefined) return `${rawName} takes no value.`;
    if (option.type === "string" && (value ?? "") === "") return `${rawName} needs a value.`;
    if (option.type === "string" && inlineValue === false && value?.startsWith("-") === true) {
      return `${rawName} needs a value, but '${value}' looks like an option.`;
    }
  }
  return null;
}

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type Io, UsageError } from "./io.ts";

/** Parses a command's options strictly; an unknown one is a `UsageError` that ends with how the command is used. */
export function parseOptions<T extends ParseArgsOptionsConfig>(io: Io, usage: string, options: T) {
  try {
    return parseArgs({ args: [...io.args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`, {
      cause: error,
    });
  }
}

import type { Io } from "../kernel/io.ts";
import type { CommandSpec } from "../text/command-spec.ts";
import { usageOf } from "../text/help-text.ts";

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  blocked: 3,
  approvalPending: 4,
  overBudget: 5,
  noProvider: 6,
} as const;

/** Wrong usage of a command; the message says what is wrong and how the command is used. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A request for a command's help; the message is the help. It goes to standard output, with exit code 0. */
export class HelpRequest extends Error {
  override readonly name = "HelpRequest";
}

/** Makes the error for wrong usage: the problem, then how the command is called. */
export function usageError(problem: string, spec: CommandSpec): UsageError {
  return new UsageError(`${problem}\n${usageOf(spec)}\nAdd --help for details.`);
}

/** Reads all of standard input as text. */
export async function readStandardInput(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.input) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString("utf8");
}

import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { orgPrintSpec } from "./command-specs.ts";
import { printOrgBytes, readOrgFile } from "./org-files.ts";
import { resolveFileArgument, writeOutput } from "./org-parse.ts";

/** Prints a file from its syntax tree. */
export async function orgPrintCommand(io: Io): Promise<number> {
  const { words } = parseCommand(io, orgPrintSpec);
  const [file = ""] = words;
  const read = readOrgFile(resolveFileArgument(io, file));
  if (read.kind === "unreadable") {
    io.err(`passepartout: ${read.problem}\n`);
    return exitCodes.failed;
  }
  const bytes = printOrgBytes(read.source);
  await writeOutput(io, io.outIsTerminal ? [new TextDecoder().decode(bytes)] : [bytes]);
  return exitCodes.done;
}

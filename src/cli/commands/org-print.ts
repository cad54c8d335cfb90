import { printOrgBytes, readOrgFile } from "../offline/org-files.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { resolveFileArgument, writeOutput } from "./org-parse.ts";

const printUsage = `passepartout org print FILE
Parses FILE and prints it from its syntax tree: the same bytes as in the file.
Exit codes: 0 done, 1 FILE could not be read, 2 wrong usage.`;

/** Prints a file from its syntax tree. */
export async function orgPrintCommand(io: Io): Promise<number> {
  const { positionals } = parseOptions(io, printUsage, {});
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw usageError("org print needs exactly one file.", printUsage);
  const read = readOrgFile(resolveFileArgument(io, file));
  if (read.kind === "unreadable") {
    io.err(`passepartout: ${read.problem}\n`);
    return exitCodes.failed;
  }
  const bytes = printOrgBytes(read.source);
  await writeOutput(io, io.outIsTerminal ? [new TextDecoder().decode(bytes)] : [bytes]);
  return exitCodes.done;
}

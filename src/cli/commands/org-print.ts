import { printOrgBytes, readOrgFile } from "../offline/org-files.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { resolveFileArgument, writeOutput } from "./org-parse.ts";

const printUsage = `passepartout org print FILE
Parses FILE, and writes it as it is printed back from its syntax tree: the same bytes, whatever they are.
Exit codes: 0 done, 1 it could not be read, 2 wrong use.`;

/** Prints a file back from its syntax tree. */
export async function orgPrintCommand(io: Io): Promise<number> {
  const { positionals } = parseOptions(io, printUsage, {});
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(`org print needs one file.\nUsage: ${printUsage}`);
  const read = readOrgFile(resolveFileArgument(io, file));
  if (read.kind === "unreadable") {
    io.err(`passepartout: ${read.problem}\n`);
    return exitCodes.failed;
  }
  const bytes = printOrgBytes(read.source);
  await writeOutput(io, io.outIsTerminal ? [new TextDecoder().decode(bytes)] : [bytes]);
  return exitCodes.done;
}

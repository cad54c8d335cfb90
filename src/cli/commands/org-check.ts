import { checkOrgFiles, type NamedFile } from "../offline/check-org-files.ts";
import { readOrgFile } from "../offline/org-files.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { resolveFileArgument } from "./org-parse.ts";

const usage = `passepartout org check [--json] FILE…
Prints every problem of the files as FILE:LINE:COLUMN: what it is [its name], in the order of the text: IDs that are there twice, in one file
or in two; drawers, blocks, planning and clocks that are not closed, or not where they count; timestamps, repeaters, priorities and tags that
cannot be read; links to headings, IDs, names and files that are not there; footnotes without a definition. The notes beside a file are
searched for the IDs that it links to. With --json each line is an object. Nothing is evaluated, changed, or asked of another machine.
Exit codes: 0 no problem, 1 a problem was found or a file could not be read, 2 wrong use.`;

/** Checks files of Org as a careful reader would. */
export async function orgCheckCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  if (positionals.length === 0) throw new UsageError(`org check needs a file.\nUsage: ${usage}`);
  const files: NamedFile[] = [];
  for (const name of new Set(positionals)) {
    const path = resolveFileArgument(io, name);
    const read = readOrgFile(path);
    if (read.kind === "read") files.push({ name, path, source: read.source });
    else io.err(`passepartout: ${read.problem}\n`);
  }
  const problems = checkOrgFiles(files);
  for (const { path, line, column, code, message } of problems) {
    if (values.json) io.out(`${JSON.stringify({ file: path, line, column, code, message })}\n`);
    else io.out(`${visible(path)}:${line}:${column}: ${message} [${code}]\n`);
  }
  const failed = problems.length > 0 || files.length < new Set(positionals).size;
  return failed ? exitCodes.failed : exitCodes.done;
}

function visible(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

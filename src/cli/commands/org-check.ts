import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import { checkOrgFiles, type OrgFileToCheck } from "../offline/check-org-files.ts";
import { readOrgFile } from "../offline/org-files.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { resolveFileArgument } from "./org-parse.ts";

const usage = `passepartout org check [--json] FILE…
Prints each problem of the files as FILE:LINE:COLUMN: description [name of the problem]. It finds
  - IDs that exist twice, in one file or in several
  - drawers, blocks, planning lines and clocks that are not closed, or are in the wrong place
  - timestamps, repeaters, priorities and tags that cannot be parsed
  - links to headings, IDs, names and files that do not exist, and footnotes without a definition
IDs that a file links to are also searched in the notes beside it, and those of a note in all notes. Nothing is evaluated, changed or sent.
  --json  prints a JSON object for each problem
Exit codes: 0 no problem, 1 a problem was found or a file could not be read, 2 wrong usage.`;

/** Checks Org files and prints their problems. */
export async function orgCheckCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  if (positionals.length === 0) throw usageError("org check needs a file.", usage);
  const files: OrgFileToCheck[] = [];
  for (const name of new Set(positionals)) {
    const path = resolveFileArgument(io, name);
    const read = readOrgFile(path);
    if (read.kind === "read") files.push({ name, path, source: read.source });
    else io.err(`passepartout: ${read.problem}\n`);
  }
  const problems = await checkOrgFiles(files, notesPlaceOf(loadConfig(io.environment)));
  for (const { path, line, column, code, message } of problems) {
    if (values.json) io.out(`${JSON.stringify({ file: path, line, column, code, message })}\n`);
    else io.out(`${showControlCharacters(path)}:${line}:${column}: ${message} [${code}]\n`);
  }
  const failed = problems.length > 0 || files.length < new Set(positionals).size;
  return failed ? exitCodes.failed : exitCodes.done;
}

function showControlCharacters(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

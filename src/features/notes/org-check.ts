import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { printLinked } from "../../program/print-linked.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import { checkOrgFiles, type OrgFileToCheck } from "./check-org-files.ts";
import { orgCheckSpec } from "./command-specs.ts";
import { readOrgFile } from "./org-files.ts";
import { resolveFileArgument } from "./org-parse.ts";

/** Checks Org files and prints their problems. */
export async function orgCheckCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, orgCheckSpec);
  const files: OrgFileToCheck[] = [];
  for (const name of new Set(words)) {
    const path = resolveFileArgument(io, name);
    const read = readOrgFile(path);
    if (read.kind === "read") files.push({ name, path, source: read.source });
    else io.err(`passepartout: ${read.problem}\n`);
  }
  const problems = await checkOrgFiles(files, notesPlaceOf(loadConfig(io.environment)));
  if (values.json)
    for (const { path, line, column, code, message } of problems)
      io.out(`${JSON.stringify({ file: path, line, column, code, message })}\n`);
  else
    printLinked(
      io,
      problems.map(({ path, line, column, code, message }) => ({
        shown: showControlCharacters(path),
        path: resolveFileArgument(io, path),
        rest: `:${line}:${column}: ${message} [${code}]`,
      })),
    );
  const failed = problems.length > 0 || files.length < new Set(words).size;
  return failed ? exitCodes.failed : exitCodes.done;
}

function showControlCharacters(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

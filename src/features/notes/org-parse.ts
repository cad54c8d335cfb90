import { isAbsolute, join } from "node:path";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { loadConfig } from "../../settings/config.ts";
import { orgParseSpec } from "./command-specs.ts";
import {
  findFragmentFileProblem,
  type OrgJsonOptions,
  orgToJson,
  readOrgFile,
  readOrgFragments,
  writeChunks,
} from "./org-files.ts";

/** Prints files and fragments as JSON. */
export async function orgParseCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, orgParseSpec);
  const { environment } = io;
  const { jsonl = [], units = environment["ORACLE_UNITS"] ?? "utf16" } = values;
  if (units !== "utf16" && units !== "char" && units !== "byte")
    throw usageError(`--units needs utf16, char or byte, not '${units}'.`, orgParseSpec);
  if (words.length === 0 && jsonl.length === 0)
    throw usageError("org parse needs a file, or --jsonl with one.", orgParseSpec);
  const form: OrgJsonOptions = {
    units,
    inlineTasks: values["inline-tasks"] || environment["ORACLE_INLINETASK"] === "1",
    text: !values["no-text"] && environment["ORACLE_TEXT"] !== "0",
    entries: !values["no-entries"] && environment["ORACLE_SEM"] !== "0",
    variables: loadConfig(io.environment).org,
  };
  const problems: string[] = [];
  const request = { fragments: jsonl, files: words, form };
  const lines = parseAll(io, request, (problem) => {
    problems.push(problem);
    io.err(`passepartout: ${problem}\n`);
  });
  await writeOutput(io, lines);
  return problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

type ParseRequest = {
  readonly fragments: readonly string[];
  readonly files: readonly string[];
  readonly form: OrgJsonOptions;
};

/** Yields the lines of all fragments and files in chunks; the last chunk of a line ends with its line feed. */
async function* parseAll(
  io: Io,
  { fragments, files, form }: ParseRequest,
  fail: (problem: string) => void,
): AsyncGenerator<string> {
  for (const file of fragments) {
    const path = resolveFileArgument(io, file);
    const problem = findFragmentFileProblem(path);
    if (problem !== null) {
      fail(problem);
      continue;
    }
    for await (const fragment of readOrgFragments(path)) {
      if (fragment.kind === "fragment") yield* orgToJson(fragment.name, fragment.source, form);
      else fail(`Line ${fragment.line} of ${file} is not {"n": …, "text": "…"}.`);
    }
  }
  for (const file of files) {
    const read = readOrgFile(resolveFileArgument(io, file));
    if (read.kind === "read") yield* orgToJson(file, read.source, form);
    else fail(read.problem);
  }
}

/** The path that a file argument names. */
export function resolveFileArgument({ cwd }: Io, file: string): string {
  return isAbsolute(file) ? file : join(cwd, file);
}

/** Writes chunks as fast as they are read. On a terminal, control characters are made harmless. */
export async function writeOutput(io: Io, chunks: Chunks): Promise<void> {
  if (!io.outIsTerminal) {
    await writeChunks(chunks, io.output);
    return;
  }
  let line = "";
  for await (const chunk of chunks) {
    line += chunk;
    if (!line.endsWith("\n")) continue;
    io.out(line);
    line = "";
  }
  io.out(line);
}

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

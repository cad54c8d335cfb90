import { isAbsolute, join } from "node:path";
import {
  findFragmentFileProblem,
  type OrgJsonOptions,
  orgToJson,
  readOrgFile,
  readOrgFragments,
  writeChunks,
} from "../offline/org-files.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const parseUsage = `passepartout org parse [--jsonl IN] [--inline-tasks] [--units utf16|char|byte] [--no-text] [--no-entries] [FILE…]
Prints one line of JSON for each FILE, and for each line {"n": …, "text": "…"} of IN: the syntax tree as Org 9.8's own parser has it, and
what Emacs makes of each headline. Offsets count from 0, in UTF-16 code units unless --units says otherwise. With --inline-tasks, headlines of
fifteen stars and more are inline tasks. Also by environment: ORACLE_UNITS, ORACLE_INLINETASK=1, ORACLE_TEXT=0, ORACLE_SEM=0.
Nothing in a file is evaluated. Exit codes: 0 done, 1 something could not be read (the rest is printed), 2 wrong use.`;

/** Prints files and fragments as JSON. */
export async function orgParseCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, parseUsage, {
    jsonl: { type: "string", multiple: true, default: [] },
    "inline-tasks": { type: "boolean", default: io.environment["ORACLE_INLINETASK"] === "1" },
    units: { type: "string", default: io.environment["ORACLE_UNITS"] ?? "utf16" },
    "no-text": { type: "boolean", default: io.environment["ORACLE_TEXT"] === "0" },
    "no-entries": { type: "boolean", default: io.environment["ORACLE_SEM"] === "0" },
  });
  const { units } = values;
  if (units !== "utf16" && units !== "char" && units !== "byte")
    throw new UsageError(`'${units}' is no unit of offsets.\nUsage: ${parseUsage}`);
  if (positionals.length === 0 && values.jsonl.length === 0)
    throw new UsageError(`org parse needs a file.\nUsage: ${parseUsage}`);
  const form: OrgJsonOptions = {
    units,
    inlineTasks: values["inline-tasks"],
    text: !values["no-text"],
    entries: !values["no-entries"],
  };
  const failed: string[] = [];
  const asked = { fragments: values.jsonl, files: positionals, form };
  await writeOutput(
    io,
    parsed(io, asked, (problem) => failed.push(problem)),
  );
  return failed.length > 0 ? exitCodes.failed : exitCodes.done;
}

type Asked = {
  readonly fragments: readonly string[];
  readonly files: readonly string[];
  readonly form: OrgJsonOptions;
};

/** All that is asked for, in pieces; the last piece of a line ends with its line feed. */
async function* parsed(
  io: Io,
  { fragments, files, form }: Asked,
  note: (problem: string) => void,
): AsyncGenerator<string> {
  const fail = (problem: string): void => {
    note(problem);
    io.err(`passepartout: ${problem}\n`);
  };
  for (const file of fragments) {
    const path = resolveFileArgument(io, file);
    const problem = findFragmentFileProblem(path);
    if (problem !== null) {
      fail(problem);
      continue;
    }
    for await (const fragment of readOrgFragments(path)) {
      if (fragment.kind === "fragment") yield* orgToJson(fragment.name, fragment.source, form);
      else fail(`line ${fragment.line} of ${file} is not {"n": …, "text": "…"}.`);
    }
  }
  for (const file of files) {
    const read = readOrgFile(resolveFileArgument(io, file));
    if (read.kind === "read") yield* orgToJson(file, read.source, form);
    else fail(read.problem);
  }
}

/** A file's path as it was named. */
export function resolveFileArgument({ cwd }: Io, file: string): string {
  return isAbsolute(file) ? file : join(cwd, file);
}

/** Writes as fast as it is read. On a terminal nothing is written that would change it. */
export async function writeOutput(io: Io, pieces: Pieces): Promise<void> {
  if (!io.outIsTerminal) {
    await writeChunks(pieces, io.output);
    return;
  }
  let line = "";
  for await (const piece of pieces) {
    line += piece;
    if (!line.endsWith("\n")) continue;
    io.out(line);
    line = "";
  }
  io.out(line);
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

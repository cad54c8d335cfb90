import type { Json } from "../../signal/json.ts";
import {
  editOrgFile,
  type OperationOutcome,
  type OrgFileEditResult,
  readMoment,
} from "../offline/edit-org-file.ts";
import { exitCodes, type Io, readStandardInput, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout org edit FILE [--now "2024-01-15 10:00"] [--dry-run] [--json] [--log-into-drawer] [--log-done time|note]
Reads a JSON array of operations from standard input, and applies them to FILE in order as Emacs's commands would:
  {"op":"todo","at":"HEADING OR ID","state":"DONE"}              state "" takes the state away
  {"op":"schedule"|"deadline","at":…,"value":"2024-02-01 10:00"} value "" removes; <2024-02-01 Thu +1w> repeats
  {"op":"priority"|"tags"|"title","at":…,"value":…}              {"op":"put"|"delete-property","at":…,"key":…,"value":…}
  {"op":"id"|"clock-in"|"clock-out"|"archive-tag"|"archive-sibling"|"archive"|"promote"|"demote","at":…}
  {"op":"refile","at":…,"to":"HEADING"}   {"op":"move","at":…,"to":"up"|"down"}   {"op":"checkbox","line":17}
  {"op":"insert","at":…,"where":"under"|"after"|"before","title":…,"text":…}   {"op":"paste","at":…,"where":…,"text":"* …"}
  {"op":"append"|"body","at":…,"text":…}   {"op":"capture","title":…,"text":…,"date":…,"under":…}
FILE changes in one step; a file that Emacs holds with unsaved changes is not written. Standard output is the edited text unless it is a
terminal; with --json it is one object. With --dry-run nothing is written. Also by environment: ORG_LOG_INTO_DRAWER=1, ORG_LOG_DONE=time.
Exit codes: 0 done, 1 something was refused (the rest is done) or the file could not be read or written, 2 wrong use.`;

/** Applies operations to a file of Org. */
export async function orgEditCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    now: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "log-into-drawer": { type: "boolean", default: io.environment["ORG_LOG_INTO_DRAWER"] === "1" },
    "log-done": { type: "string", default: io.environment["ORG_LOG_DONE"] ?? "" },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(`org edit needs one file.\nUsage: ${usage}`);
  const { now = null } = values;
  if (now !== null && readMoment(now) === null)
    throw new UsageError(`'${now}' is no time like "2024-01-15 10:00".`);
  const done = values["log-done"];
  if (!["", "time", "note"].includes(done))
    throw new UsageError(`--log-done is 'time' or 'note', not '${done}'.`);
  const edited = await editOrgFile({
    cwd: io.cwd,
    home: io.environment["HOME"] ?? io.cwd,
    file,
    operations: await operationsOf(io),
    now,
    log: {
      logIntoDrawer: values["log-into-drawer"],
      logDone: done === "time" || done === "note" ? done : null,
    },
    dry: values["dry-run"],
  });
  if (!edited.ok) {
    io.err(`passepartout: ${edited.message.replace(/\.?$/, ".")}\n`);
    return exitCodes.failed;
  }
  print(io, edited.value, values.json);
  return report(io, edited.value.outcomes);
}

async function operationsOf(io: Io): Promise<readonly Json[]> {
  if (io.input.isTTY === true) {
    throw new UsageError(`org edit reads its operations from standard input.\nUsage: ${usage}`);
  }
  const value = readJson(await readStandardInput(io));
  if (!Array.isArray(value)) throw new UsageError("Standard input is no JSON array of operations.");
  return value;
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function print(io: Io, { bytes, outcomes, changed }: OrgFileEditResult, json: boolean): void {
  const text = Buffer.from(bytes);
  if (json) io.out(`${JSON.stringify({ text: text.toString("utf8"), outcomes, changed })}\n`);
  else if (!io.outIsTerminal) io.output.write(text);
  else
    for (const { operation, reason } of outcomes)
      if (reason === null) io.out(`done: ${JSON.stringify(operation)}\n`);
}

function report(io: Io, outcomes: readonly OperationOutcome[]): number {
  const refused = outcomes.filter(({ reason }) => reason !== null);
  for (const { operation, reason } of refused) io.err(`refused: ${JSON.stringify(operation)} ${reason}\n`);
  return refused.length > 0 ? exitCodes.failed : exitCodes.done;
}

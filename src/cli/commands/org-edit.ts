import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { Json } from "../../signal/json.ts";
import {
  editOrgFile,
  type OperationOutcome,
  type OrgFileEditResult,
  readMoment,
} from "../offline/edit-org-file.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = `passepartout org edit FILE [--now "2024-01-15 10:00"] [--dry-run] [--json] [--log-into-drawer] [--log-done time|note]
Reads a JSON array of operations from standard input and applies them to FILE in order, as Emacs's commands would:
  {"op":"todo","at":"HEADING OR ID","state":"DONE"}              state "" removes the keyword
  {"op":"schedule"|"deadline","at":…,"value":"2024-02-01 10:00"} value "" removes it; <2024-02-01 Thu +1w> repeats
  {"op":"priority"|"tags"|"title","at":…,"value":…}              {"op":"put"|"delete-property","at":…,"key":…,"value":…}
  {"op":"id"|"clock-in"|"clock-out"|"archive-tag"|"archive-sibling"|"archive"|"promote"|"demote","at":…}
  {"op":"refile","at":…,"to":"HEADING"}   {"op":"move","at":…,"to":"up"|"down"}   {"op":"checkbox","line":17}
  {"op":"insert","at":…,"where":"under"|"after"|"before","title":…,"text":…}   {"op":"paste","at":…,"where":…,"text":"* …"}
  {"op":"append"|"body","at":…,"text":…}   {"op":"capture","title":…,"text":…,"date":…,"under":…}
FILE is replaced in one step. A file with unsaved changes in Emacs is not written. Unless standard output is a terminal, it gets the edited text.
  --now TIME         time that counts as now
  --dry-run          writes nothing
  --json             prints one JSON object: text, outcomes, changed
  --log-into-drawer  logs into the LOGBOOK drawer (also ORG_LOG_INTO_DRAWER=t)
  --log-done KIND    logs completion: time or note (also ORG_LOG_DONE=KIND)
TODO words and logging are as the settings ORG_… have them, unless FILE says otherwise.
Exit codes: 0 done, 1 an operation was refused (the others are done) or FILE could not be read or written, 2 wrong usage.`;

/** Applies operations to an Org file. */
export async function orgEditCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    now: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "log-into-drawer": { type: "boolean", default: false },
    "log-done": { type: "string", default: "" },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usageError("org edit needs exactly one file.", usage);
  const { now = null } = values;
  if (now !== null && readMoment(now) === null)
    throw usageError(`--now: '${now}' is not a time. Write it as "2024-01-15 10:00".`, usage);
  const done = values["log-done"];
  if (!["", "time", "note"].includes(done))
    throw usageError(`--log-done needs 'time' or 'note', not '${done}'.`, usage);
  const config = loadConfig(io.environment);
  const variables = [
    ...config.org,
    ...(values["log-into-drawer"] ? [{ key: "STARTUP", value: "logdrawer" }] : []),
    ...(done === "" ? [] : [{ key: "STARTUP", value: done === "time" ? "logdone" : "lognotedone" }]),
  ];
  const edited = await editOrgFile({
    cwd: io.cwd,
    home: io.environment["HOME"] ?? io.cwd,
    file,
    operations: await operationsOf(io),
    now,
    notes: { ...notesPlaceOf(config), variables },
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
    throw usageError("org edit reads its operations from standard input; connect a pipe or a file.", usage);
  }
  const value = readJson(await readStandardInput(io));
  if (!Array.isArray(value)) throw usageError("Standard input is not a JSON array of operations.", usage);
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

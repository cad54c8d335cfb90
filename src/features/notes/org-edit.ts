import type { Io } from "../../kernel/io.ts";
import { exitCodes, readStandardInput, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { Json } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import { orgEditSpec } from "./command-specs.ts";
import { editOrgFile, type OperationOutcome, type OrgFileEditResult, readMoment } from "./edit-org-file.ts";

/** Applies operations to an Org file. */
export async function orgEditCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, orgEditSpec);
  const [file = ""] = words;
  const { now = null } = values;
  if (now !== null && readMoment(now) === null)
    throw usageError(`--now: '${now}' is not a time. Write it as "2024-01-15 10:00".`, orgEditSpec);
  const done = values["log-done"];
  if (!["", "time", "note"].includes(done))
    throw usageError(`--log-done needs 'time' or 'note', not '${done}'.`, orgEditSpec);
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
    throw usageError(
      "org edit reads its operations from standard input; connect a pipe or a file.",
      orgEditSpec,
    );
  }
  const value = parseJson(await readStandardInput(io));
  if (!Array.isArray(value))
    throw usageError("Standard input is not a JSON array of operations.", orgEditSpec);
  return value;
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

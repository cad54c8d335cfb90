import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import {
  damageOf,
  openStateReader,
  repairOwnState,
  replayJournalAt,
  type StateReader,
} from "../../program/read-state.ts";
import type { ReplayReport } from "../../program/replay-journal.ts";
import { showProgress } from "../../program/show-progress.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { describeEffect } from "../../shown/describe-effect.ts";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { journalSpec } from "./command-specs.ts";

/** What a verb of `journal` works with. */
type JournalReading = { readonly io: Io; readonly reader: StateReader; readonly json: boolean };

/** Reads the journal: its end, whether its chain is intact, why something was decided, and whether the judge still decides the same. */
export async function journalCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, journalSpec);
  const [id] = words;
  if (!/^[1-9]\d{0,6}$/.test(values.lines))
    throw usageError("-n needs a number from 1 to 9999999.", journalSpec);
  const start = { environment: io.environment, cwd: io.cwd, version: io.version };
  if (verb === "repair") return repair(io, start, values.json);
  if (verb === "replay" && id !== undefined) {
    const report = await replayJournalAt(start, id);
    if (report.judged > 0) return printReplay(io, report, values.json);
    io.err(
      `There is no journal with verdicts at ${escapeForTerminal(id)}. Name its file, or the folder that holds journal.jsonl.\n`,
    );
    return exitCodes.failed;
  }
  await using reader = await openStateReader(start);
  const reading = { io, reader, json: values.json };
  switch (verb) {
    case "tail":
      return printTail(reading, Number(values.lines));
    case "verify":
      return printVerification(reading);
    case "why":
      return printReasons(reading, id ?? "");
    case "replay":
      return printReplay(io, await reader.replay(), values.json);
  }
}

async function repair(io: Io, start: StartContext, json: boolean): Promise<number> {
  const result = await repairOwnState(start);
  if (json) io.out(`${JSON.stringify(result)}\n`);
  else if (result.repaired) {
    io.out(
      `The journal was damaged at ${result.damage}.\nIts files are in ${result.asideTo} as they were. A new chain begins, and its first entry names them.\n`,
    );
  } else io.out(`The journal is intact: ${result.entries} entries. Nothing was changed.\n`);
  return exitCodes.done;
}

async function printTail(reading: JournalReading, lines: number): Promise<number> {
  for (const entry of await reading.reader.state.journal.tail(lines)) printEntry(reading, entry);
  return exitCodes.done;
}

async function printVerification({ io, reader, json }: JournalReading): Promise<number> {
  const progress = showProgress(io);
  const result = await reader.state.journal
    .verify((...at) => progress.update("Verifying the journal", ...at))
    .finally(progress.end);
  if (json) io.out(`${JSON.stringify(result)}\n`);
  else if (result.ok) {
    io.out(`The journal is intact: ${result.entries} entries, each chained to the one before.\n`);
  } else {
    io.out(
      `The journal is damaged at ${damageOf(result)}. Restore it and state.db from the same backup, or begin a new chain with: passepartout journal repair\n`,
    );
  }
  return result.ok ? exitCodes.done : exitCodes.failed;
}

async function printReasons(reading: JournalReading, id: string): Promise<number> {
  const { io, reader, json } = reading;
  let found = 0;
  for await (const entry of reader.state.journal.entries()) {
    if (!concerns(entry, id)) continue;
    found += 1;
    printEntry(reading, entry);
    if (json) continue;
    for (const reason of entry.trace) {
      io.out(`      ${reason.result} by ${reason.gate}: ${reason.reason}\n`);
    }
  }
  if (found === 0) {
    io.err(`Nothing in the journal is about '${id}'. Find IDs with: passepartout journal tail\n`);
  }
  return found > 0 ? exitCodes.done : exitCodes.failed;
}

function printReplay(io: Io, result: ReplayReport, json: boolean): number {
  if (json) io.out(`${JSON.stringify(result)}\n`);
  else {
    io.out(
      `${result.judged} verdicts judged again: ${result.same} the same, ${result.newer} different because the gates changed, ${result.faults.length} different by the same gates.\n`,
    );
    const { byOtherGates = 0, changed = [] } = result;
    if (byOtherGates > 0)
      io.out(
        `${byOtherGates} of them were recorded by the gates of another version, which may decide otherwise: that is no fault.\n`,
      );
    for (const { sequence, recorded, today, reason } of [...result.faults, ...changed])
      io.out(
        escapeForTerminal(
          `  entry ${sequence}: recorded ${recorded}, today ${today}${reason === "" ? "" : `: ${reason}`}\n`,
        ),
      );
  }
  return result.faults.length === 0 ? exitCodes.done : exitCodes.failed;
}

function concerns(entry: JournalEntry, id: string): boolean {
  return (
    entry.turn === id ||
    entry.session === id ||
    String(entry.sequence) === id ||
    (id.length >= 8 && (entry.digest?.startsWith(id) ?? false))
  );
}

function printEntry({ io, json }: JournalReading, entry: JournalEntry): void {
  io.out(json ? `${JSON.stringify(entry)}\n` : formatEntry(entry));
}

function formatEntry(entry: JournalEntry): string {
  const at = new Date(entry.at).toISOString();
  const effects = entry.effects.map(describeEffect).join("; ");
  const detail = Object.entries(entry.detail)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(" ");
  return `${String(entry.sequence).padStart(5)} ${at} ${entry.kind.padEnd(8)} ${entry.verdict ?? ""} ${effects} ${detail} turn=${entry.turn ?? "-"}\n`;
}

import type { JournalEntry } from "../../signal/journal-entry.ts";
import { openStateReader } from "../offline/read-state.ts";
import { describeEffect } from "./approval-question.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const verbs = ["tail", "verify", "why", "replay"];
const usage = "passepartout journal tail [-n LINES] | verify | why ID | replay   [--json]";

/** Reads the journal: its end, whether its chain holds, why something was decided, and whether the judge still decides the same. */
export async function journalCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    json: { type: "boolean", default: false },
    lines: { type: "string", short: "n", default: "20" },
  });
  const [verb = "", id, ...more] = positionals;
  if (more.length > 0 || (id !== undefined && verb !== "why"))
    throw new UsageError(`Too many arguments.\nUsage: ${usage}`);
  if (verb === undefined || !verbs.includes(verb))
    throw new UsageError(`journal needs one of ${verbs.join(", ")}.\nUsage: ${usage}`);
  if (!/^[1-9]\d{0,6}$/.test(values.lines)) throw new UsageError(`-n needs a number.\nUsage: ${usage}`);
  if (verb === "why" && id === undefined)
    throw new UsageError(
      `why needs the id of a turn, session or digest, or a sequence number.\nUsage: ${usage}`,
    );
  await using reading = await openStateReader({
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
  });
  const print = (entry: JournalEntry): void =>
    io.out(values.json ? `${JSON.stringify(entry)}\n` : line(entry));
  switch (verb) {
    case "tail": {
      for (const entry of await reading.state.journal.tail(Number(values.lines))) print(entry);
      return exitCodes.done;
    }
    case "verify": {
      const result = await reading.state.journal.verify();
      if (values.json) io.out(`${JSON.stringify(result)}\n`);
      else if (result.ok)
        io.out(`The journal is whole: ${result.entries} entries, each chained to the one before.\n`);
      else
        io.out(
          `The journal is damaged: ${JSON.stringify(result.problem)}. Keep the file as it is and restore it from a backup.\n`,
        );
      return result.ok ? exitCodes.done : exitCodes.failed;
    }
    case "why": {
      let found = 0;
      for await (const entry of reading.state.journal.entries()) {
        if (!concerns(entry, id ?? "")) continue;
        found += 1;
        print(entry);
        if (!values.json)
          for (const reason of entry.trace)
            io.out(`      ${reason.result} by ${reason.gate}: ${reason.reason}\n`);
      }
      if (found === 0)
        io.err(`Nothing in the journal is about '${id ?? ""}'. \`passepartout journal tail\` shows ids.\n`);
      return found > 0 ? exitCodes.done : exitCodes.failed;
    }
    default: {
      const result = await reading.replay();
      if (values.json) io.out(`${JSON.stringify(result)}\n`);
      else {
        io.out(
          `${result.judged} verdicts judged again: ${result.same} the same, ${result.newer} by other gates than today's, ${result.faults.length} faults.\n`,
        );
        for (const fault of result.faults)
          io.out(`  entry ${fault.sequence}: recorded ${fault.recorded}, today ${fault.today}\n`);
      }
      return result.faults.length === 0 ? exitCodes.done : exitCodes.failed;
    }
  }
}

function concerns(entry: JournalEntry, id: string): boolean {
  return (
    entry.turn === id ||
    entry.session === id ||
    String(entry.sequence) === id ||
    (id.length >= 8 && (entry.digest?.startsWith(id) ?? false))
  );
}

function line(entry: JournalEntry): string {
  const at = new Date(entry.at).toISOString();
  const effects = entry.effects.map(describeEffect).join("; ");
  const detail = Object.entries(entry.detail)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(" ");
  return `${String(entry.sequence).padStart(5)} ${at} ${entry.kind.padEnd(8)} ${entry.verdict ?? ""} ${effects} ${detail} turn=${entry.turn ?? "-"}\n`;
}

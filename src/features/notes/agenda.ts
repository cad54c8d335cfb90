import { localDay, localMinutes, mondayOf, parseRelativeDay } from "#org";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { agendaSpec } from "./command-specs.ts";
import { type AgendaResult, listAgenda } from "./list-agenda.ts";

const mostDays = 3660;

/** Shows what is due, over the notes folder or some files, as Emacs's agenda does. Exit code 0 if something is, 1 if nothing is, 2 for wrong usage. */
export async function agendaCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, agendaSpec);
  const now = new Date();
  const today = parseDay(values.today ?? localDay(now), localDay(now), "--today");
  const defaultFrom = values.days === undefined ? mondayOf(today) : today;
  const result = await listAgenda(makeStartContext(io), {
    files: words,
    from: values.from === undefined ? defaultFrom : parseDay(values.from, today, "--from"),
    days: parseDayCount(values.days ?? "7"),
    today,
    inactive: values.inactive,
    minutes: localMinutes(now),
  });
  reportNoteProblems(io, result);
  if (result.found === 0) {
    if (result.advice === null && result.isComplete) io.err("Nothing is due in these days.\n");
    return exitCodes.failed;
  }
  const lines = values.json
    ? result
        .lines()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join("")
    : `${result.page}\n`;
  io.out(lines);
  return exitCodes.done;
}

/** Reports the files that could not be read, and what to do if there are no notes. */
export function reportNoteProblems(
  io: Io,
  { problems, advice }: Pick<AgendaResult, "problems" | "advice">,
): void {
  for (const { path, problem } of problems) io.err(`passepartout: ${path}: ${problem}\n`);
  if (advice !== null) io.err(`passepartout: ${advice}\n`);
}

function parseDay(words: string, today: string, option: string): string {
  const day = parseRelativeDay(words, today);
  if (day !== null) return day;
  throw usageError(
    `${option}: '${words}' is not a day of the calendar. Write 2024-01-15, today, +3d or -1w.`,
    agendaSpec,
  );
}

function parseDayCount(words: string): number {
  const days = /^\d{1,4}$/.test(words) ? Number(words) : 0;
  if (days >= 1 && days <= mostDays) return days;
  throw usageError(`--days needs a number from 1 to ${mostDays}, not '${words}'.`, agendaSpec);
}

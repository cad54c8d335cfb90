import { localDay, localMinutes, mondayOf, parseRelativeDay } from "#org";
import { type AgendaResult, listAgenda } from "../offline/list-agenda.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { makeStartContext } from "./start-context.ts";

const usage = `passepartout agenda [FILE…] [--from DAY] [--days N] [--today DAY] [--inactive] [--json]
Lists what is scheduled and due in the notes folder, or in the files, as Emacs's agenda does. The default is the current week, from Monday.
  --from DAY   first day: 2024-01-15, today, +3d (in three days) or -1w (a week ago)
  --days N     number of days, from 1 to 3660; without --from they begin today
  --today DAY  day that counts as today
  --inactive   includes inactive timestamps, such as [2024-01-15]
  --json       prints a JSON object for each line
Exit codes: 0 something is due, 1 nothing is due, 2 wrong usage.`;

const mostDays = 3660;

/** Shows what is due, over the notes folder or some files, as Emacs's agenda does. Exit code 0 if something is, 1 if nothing is, 2 for wrong usage. */
export async function agendaCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    from: { type: "string" },
    days: { type: "string" },
    today: { type: "string" },
    inactive: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const now = new Date();
  const today = parseDay(values.today ?? localDay(now), localDay(now), "--today");
  const defaultFrom = values.days === undefined ? mondayOf(today) : today;
  const result = await listAgenda(makeStartContext(io), {
    files: positionals,
    from: values.from === undefined ? defaultFrom : parseDay(values.from, today, "--from"),
    days: parseDayCount(values.days ?? "7"),
    today,
    inactive: values.inactive,
    minutes: localMinutes(now),
  });
  reportNoteProblems(io, result);
  if (result.found === 0) {
    if (result.advice === null) io.err("Nothing is due in these days.\n");
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
    usage,
  );
}

function parseDayCount(words: string): number {
  const days = /^\d{1,4}$/.test(words) ? Number(words) : 0;
  if (days >= 1 && days <= mostDays) return days;
  throw usageError(`--days needs a number from 1 to ${mostDays}, not '${words}'.`, usage);
}

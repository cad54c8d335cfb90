import {
  type AgendaResult,
  listAgenda,
  localDay,
  localMinutes,
  mondayOf,
  parseRelativeDay,
} from "../offline/list-agenda.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage =
  "passepartout agenda [FILE…] [--from DAY] [--days N] [--today DAY] [--inactive] [--json]   (DAY: 2024-01-15, today, +3d, -1w; without --from and --days the week of today, from its Monday)";

const mostDays = 3660;

/** Shows what is due, over the notes folder or some files, as Emacs's agenda does. Exit code 0 if there is something, 1 if not, 2 for wrong use. */
export async function agendaCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    from: { type: "string" },
    days: { type: "string" },
    today: { type: "string" },
    inactive: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const now = new Date();
  const today = dayFrom(values.today ?? localDay(now), localDay(now), "--today");
  const ofToday = values.days === undefined ? mondayOf(today) : today;
  const from = values.from === undefined ? ofToday : dayFrom(values.from, today, "--from");
  const answer = await listAgenda(
    {
      environment: io.environment,
      cwd: io.cwd,
      version: io.version,
      warn: (message) => io.err(`passepartout: ${message}\n`),
    },
    {
      files: positionals,
      from,
      days: daysFrom(values.days ?? "7"),
      today,
      inactive: values.inactive,
      minutes: localMinutes(now),
    },
  );
  reportNoteProblems(io, answer);
  if (answer.found === 0) {
    if (answer.advice === null && !values.json) io.err("Nothing is due in these days.\n");
    return exitCodes.failed;
  }
  io.out(
    values.json
      ? answer
          .lines()
          .map((line) => `${JSON.stringify(line)}\n`)
          .join("")
      : `${answer.page}\n`,
  );
  return exitCodes.done;
}

/** Says what could not be read, and what to do where there are no notes. */
export function reportNoteProblems(
  io: Io,
  { problems, advice }: Pick<AgendaResult, "problems" | "advice">,
): void {
  for (const { path, problem } of problems) io.err(`passepartout: ${path}: ${problem}\n`);
  if (advice !== null) io.err(`passepartout: ${advice}\n`);
}

function dayFrom(words: string, today: string, option: string): string {
  const day = parseRelativeDay(words, today);
  if (day !== null) return day;
  throw new UsageError(`${option}: '${words}' is no day of the calendar.\nUsage: ${usage}`);
}

function daysFrom(words: string): number {
  const days = /^\d{1,4}$/.test(words) ? Number(words) : 0;
  if (days >= 1 && days <= mostDays) return days;
  throw new UsageError(`--days needs a number from 1 to ${mostDays}, not '${words}'.\nUsage: ${usage}`);
}

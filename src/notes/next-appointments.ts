import { agendaFor, localDay, localMinutes } from "#org";
import type { Label } from "../signal/label.ts";
import type { Clock } from "../text/clock.ts";
import { describeError } from "../text/describe-error.ts";
import type { FoundStamp } from "./note-node.ts";

/** An appointment of the owner: `when` is a time of day, `tomorrow` before it where it is not today. */
type Appointment = { readonly when: string; readonly title: string; readonly label: Label };

/** What finding the next appointments needs. */
export type AppointmentParts = {
  /** The timestamps that may show between two days, `YYYY-MM-DD`, both included. */
  readonly stampsFor: (from: string, to: string) => Promise<readonly FoundStamp[]>;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

const dayMilliseconds = 86_400_000;
/** How long what was found is said again without looking: what is written meanwhile shows that much later. */
const keptFor = 60_000;
const most = 3;
const mostCharacters = 80;

/**
 * Makes a function that finds the next appointments of the owner's agenda within a day: what has a time of day and is not done.
 * What is private or was not written by the owner or the agent is left out, since it would decide what the whole prompt may be used for.
 */
export function makeNextAppointments(parts: AppointmentParts): () => Promise<readonly Appointment[]> {
  const kept: { at: number; found: Promise<readonly Appointment[]> } = { at: 0, found: Promise.resolve([]) };
  return () => {
    const now = parts.clock();
    if (kept.at !== 0 && Math.abs(now - kept.at) < keptFor) return kept.found;
    kept.at = now;
    kept.found = findAppointments(parts, now).catch((error: unknown) => {
      parts.report(`The agenda could not be read, so it is left out of the prompt: ${describeError(error)}`);
      return [];
    });
    return kept.found;
  };
}

async function findAppointments(
  { stampsFor }: AppointmentParts,
  now: number,
): Promise<readonly Appointment[]> {
  const today = localDay(new Date(now));
  const tomorrow = localDay(new Date(now + dayMilliseconds));
  const open = (await stampsFor(today, tomorrow)).filter(
    ({ label, timestamp: { headline } }) =>
      label.secrecy === "public" && label.integrity !== "untrusted" && !headline.done,
  );
  const labels = new Map(open.map(({ timestamp, label }) => [timestamp, label]));
  const minute = localMinutes(new Date(now));
  return agendaFor(open, { from: today, days: 2, today })
    .flatMap(({ type, date, timeOfDay, located: { timestamp } }) => {
      const label = labels.get(timestamp);
      const dated = type === "timestamp" || type === "scheduled" || type === "deadline" || type === "block";
      if (!dated || timeOfDay === null || label === undefined) return [];
      const minutes = Math.floor(timeOfDay / 100) * 60 + (timeOfDay % 100);
      const ahead = date === today ? minutes - minute : minutes - minute + 24 * 60;
      return ahead < 0 || ahead > 24 * 60
        ? []
        : [{ ahead, when: whenOf(date === today, minutes), title: titleOf(timestamp.headline.text), label }];
    })
    .toSorted((one, other) => one.ahead - other.ahead)
    .slice(0, most)
    .map(({ when, title, label }) => ({ when, title, label }));
}

function whenOf(isToday: boolean, minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${isToday ? "" : "tomorrow "}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A heading without its timestamps, on one line. */
function titleOf(text: string): string {
  return text
    .replaceAll(/<[^>\n]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, mostCharacters);
}

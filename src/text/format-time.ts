/** Milliseconds. */
const minute = 60_000;
const day = 86_400_000;

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Where a person is in time: now in Unix milliseconds, and how many minutes their clock is ahead of UTC. */
export type LocalNow = { readonly now: number; readonly zoneMinutes: number };

/** A time as a person says it: local, and relative within a day. `at` is Unix milliseconds. */
export function formatTime(at: number, { now, zoneMinutes }: LocalNow): string {
  const local = at + zoneMinutes * minute;
  const days = Math.floor(local / day);
  const today = Math.floor((now + zoneMinutes * minute) / day);
  const minutes = Math.floor((local - days * day) / minute);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  if (days === today) return time;
  if (days === today + 1) return `tomorrow at ${time}`;
  if (days === today - 1) return `yesterday at ${time}`;
  const date = dateOf(days);
  const year = date.year === dateOf(today).year ? "" : ` ${date.year}`;
  return `${date.day} ${months[date.month - 1]}${year}`;
}

/** A number of tokens in few characters, as in `1.4k`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 10_000
    ? `${(tokens / 1000).toFixed(1).replace(".0", "")}k`
    : `${Math.round(tokens / 1000)}k`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** The Gregorian date of a number of days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms"). */
function dateOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

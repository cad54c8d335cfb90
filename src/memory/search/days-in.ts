const day = /(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d)/gu;
const milliseconds = 86_400_000;

/** The most days that a row is found by. */
const mostDays = 64;

/** The days in a text (`2026-03-12`, `20260312T101500`), as numbers of days since 1970, without repeats. */
export function daysIn(text: string): readonly number[] {
  if (!/\d{4}-?\d\d/.test(text)) return [];
  const days = new Set<number>();
  for (const [, year, month, date] of text.matchAll(day)) {
    const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
    if (new Date(at).getUTCDate() === Number(date) && Number(month) <= 12) days.add(at / milliseconds);
    if (days.size === mostDays) break;
  }
  return [...days];
}

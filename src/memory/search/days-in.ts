const day = /(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d)/gu;
const dottedDay = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\d)/gu;
const milliseconds = 86_400_000;

/** The most days that a row is found by. */
const mostDays = 64;

/** The days in a text (`2026-03-12`, `20260312T101500`, `12.3.2026`), as numbers of days since 1970, without repeats. */
export function daysIn(text: string): readonly number[] {
  if (!/\d{4}-?\d\d|\.\d{4}/.test(text)) return [];
  const days = new Set<number>();
  const dotted = [...text.matchAll(dottedDay)].map(
    ([, date, month, year]) => [null, year, month, date] as const,
  );
  for (const [, year, month, date] of [...text.matchAll(day), ...dotted]) {
    const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
    if (new Date(at).getUTCDate() === Number(date) && Number(month) <= 12) days.add(at / milliseconds);
    if (days.size === mostDays) break;
  }
  return [...days];
}

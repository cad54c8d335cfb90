/**
 * A time in the largest unit that keeps it readable, rounded up: `45 s`, `5 min`, `3 h`, `20 days`. Never
 * less than
 * none, as where a clock went back.
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? `${hours} h` : `${Math.ceil(hours / 24).toLocaleString("en")} days`;
}

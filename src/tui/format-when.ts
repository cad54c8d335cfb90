const day = 86_400_000;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time as a person says it, in local time: `at 10:40`, `tomorrow at 10:40`, `on 3 Dec at 10:40`. Both in Unix milliseconds. */
export function formatWhen(at: number, now: number): string {
  const time = new Date(at);
  const clock = `${time.getHours()}:${String(time.getMinutes()).padStart(2, "0")}`;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.floor((new Date(at).setHours(12, 0, 0, 0) - midnight) / day);
  if (days === 0) return `at ${clock}`;
  if (days === 1) return `tomorrow at ${clock}`;
  return `on ${time.getDate()} ${months[time.getMonth()]} at ${clock}`;
}

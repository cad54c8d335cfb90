import { priceTableDay } from "../reason/providers/price-table.ts";
import { formatDuration } from "../signal/text/format-duration.ts";
import type { HealthCheck } from "./health-check.ts";

/** Milliseconds that a clock may have been set back by a time server without a word. */
const tolerance = 120_000;

/** Checks the clock by what cannot lie in the future: this version's own table of prices, and the last entry of the journal. `last` is null where there is none. */
export function checkClock(now: number, last: number | null): HealthCheck {
  const name = "clock";
  const latest = Math.max(Date.parse(priceTableDay), last ?? 0);
  if (now >= latest - tolerance) return { name, result: "ok", text: "not before anything that was recorded" };
  const what = latest === last ? "the last entry of the journal" : "this version of the program";
  const text = `the clock of this machine is ${formatDuration(latest - now)} behind ${what}. Budgets, deadlines and the agenda go by it. Set it right, for example with: timedatectl set-ntp true`;
  return { name, result: "finding", text };
}

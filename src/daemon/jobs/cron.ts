import { Cron } from "croner";
import type { NextInstant } from "./plan-runs.ts";

/** The instants of a cron expression in a zone; or, in words, what is wrong with them. */
export type ReadSchedule =
  | { readonly ok: true; readonly next: NextInstant }
  | { readonly ok: false; readonly problem: string };

/** Reads a cron expression of five fields, or one of the names such as `@daily`. In a change of summer time a fixed time runs exactly once, and an interval goes on. */
export function readSchedule(expression: string, zone: string): ReadSchedule {
  if (!/^(?:@[a-z]+|\S+(?:[ \t]+\S+){4})$/i.test(expression.trim()))
    return {
      ok: false,
      problem: `'${expression}' is no cron expression: write five fields, as in '0 9 * * 1-5'.`,
    };
  if (!isZone(zone))
    return { ok: false, problem: `There is no zone ${zone}: write a name such as Europe/Berlin.` };
  try {
    const cron = new Cron(expression.trim(), { timezone: zone, mode: "5-part", paused: true });
    const next: NextInstant = (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
    return { ok: true, next };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Days and months are counted from 0 there.
    const detail = error.message
      .replace(/^Cron\w+: /, "")
      .replace(/(?<=^Invalid value for (?:day|month): )-?\d+$/, (value) => String(Number(value) + 1));
    return { ok: false, problem: `'${expression}' is no schedule: ${detail}` };
  }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

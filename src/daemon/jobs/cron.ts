import { Cron } from "croner";
import { isZone } from "../../signal/jobs/zones.ts";
import type { NextInstant } from "./plan-runs.ts";
import { openZone } from "./zone-times.ts";

/** The instants of a cron expression in a zone; or, in words, what is wrong with them. */
export type ReadSchedule =
  | { readonly ok: true; readonly next: NextInstant }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a cron expression of five fields, or one of the names such as `@daily`. Where minute and hour are given (`30 2`, `15 1,13`), each time runs exactly once
 * in a change of summer time: at its first occurrence, and one that is left out when the clock goes on. An interval (`*` in minute or hour) follows the clock.
 */
export function readSchedule(expression: string, zone: string): ReadSchedule {
  const fields = expression.trim();
  if (!/^(?:@[a-z]+|\S+(?:[ \t]+\S+){4})$/i.test(fields))
    return {
      ok: false,
      problem: `'${expression}' is no cron expression: write five fields, as in '0 9 * * 1-5'.`,
    };
  if (!isZone(zone))
    return { ok: false, problem: `There is no zone ${zone}: write a name such as Europe/Berlin.` };
  try {
    const isFixed = /^[^*?@]\S*\s+[^*?]/.test(fields);
    return { ok: true, next: isFixed ? fixedTimes(fields, zone) : nextOf(fields, zone) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // croner counts days and months from 0 in its messages.
    const detail = error.message
      .replace(/^Cron\w+: /, "")
      .replace(/(?<=^Invalid value for (?:day|month): )-?\d+$/, (value) => String(Number(value) + 1));
    return { ok: false, problem: `'${expression}' is no schedule: ${detail}` };
  }
}

function nextOf(fields: string, zone: string): NextInstant {
  const cron = new Cron(fields, { timezone: zone, mode: "5-part", paused: true });
  return (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
}

/** The times of day that are given, each with exactly one instant. */
function fixedTimes(fields: string, zone: string): NextInstant {
  const nextLocal = nextOf(fields, "UTC");
  const { localAt, instantOf } = openZone(zone);
  return (after) => {
    for (let local = nextLocal(localAt(after)); local !== null; local = nextLocal(local)) {
      const instant = instantOf(local);
      // Where clocks go back, they show times again that had their instant.
      if (instant !== null && instant > after) return instant;
    }
    return null;
  };
}

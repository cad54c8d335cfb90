import type { HealthReport } from "../health/check-health.ts";
import { wait as realWait } from "../machine/wait.ts";
import type { Wait } from "../text/clock.ts";
import { describeError } from "../text/describe-error.ts";
import type { WireHealth } from "../wire/server/connection.ts";

/** The health of a daemon as it was found last. */
export type HealthPoll = {
  /** Asks for the look of the start, where that was not made yet. */
  readonly health: () => WireHealth;
  /**
   * The look of the start: as soon as somebody asks for the health, or after a moment, so that it takes no
   * processor from the first answers. Resolves with an empty report where it is cancelled before.
   */
  readonly lookAtStart: (cancel: AbortSignal) => Promise<HealthReport>;
  /** Looks now. Looks at the same time are one. */
  readonly look: () => Promise<HealthReport>;
  /**
   * The job of it: begins a look once a day, or sooner while something is bad, and says what the last one changed; null where it changed nothing. Throws what is
   * newly bad. Only where somebody asked is the look waited for: a check may take long, and other work of a heartbeat is not to wait for it.
   */
  readonly work: (asked: boolean) => Promise<string | null>;
};

/** Milliseconds between two looks, where all was well and where something was bad. */
const [usual, soon] = [86_400_000, 600_000];
/** Milliseconds that the look of the start waits while nobody asks for the health. */
const momentOfStart = 10_000;

type Looks = {
  report: HealthReport | null;
  at: number;
  looking: Promise<HealthReport> | null;
  /** Why the last look could not be made. */
  failure: Error | null;
  /** What the job told of last. */
  told: HealthReport | Error | null;
};

/** Makes a poll that has not looked yet. `clock` gives milliseconds. */
export function makeHealthPoll(parts: {
  readonly check: () => Promise<HealthReport>;
  readonly clock: () => number;
  readonly wait?: Wait;
}): HealthPoll {
  const { wait = realWait } = parts;
  const wanted = Promise.withResolvers<void>();
  const last: Looks = { report: null, at: 0, looking: null, failure: null, told: null };
  const look = (): Promise<HealthReport> => {
    last.looking ??= parts
      .check()
      .then((report) => {
        last.report = report;
        last.failure = null;
        return report;
      })
      .catch((error: unknown) => {
        last.failure = new Error(`The health could not be looked at: ${describeError(error)}`);
        throw last.failure;
      })
      .finally(() => {
        last.at = parts.clock();
        last.looking = null;
      });
    return last.looking;
  };
  const isDue = (): boolean => {
    if (last.looking !== null) return false;
    const wait = last.failure !== null || last.report?.health === "unhealthy" ? soon : usual;
    const isFirst = last.report === null && last.failure === null;
    return isFirst || Math.abs(parts.clock() - last.at) >= wait;
  };
  return {
    look,
    health() {
      wanted.resolve();
      return { status: last.report?.health ?? "unknown", checked: last.report !== null };
    },
    async lookAtStart(cancel) {
      await Promise.race([wanted.promise, wait(momentOfStart, cancel)]);
      return cancel.aborted ? { health: "unknown", checks: [] } : look();
    },
    async work(asked) {
      if (asked) {
        const report = await look();
        last.told = report;
        if (report.health === "unhealthy") throw new Error(`${describe(report)}. See: passepartout doctor`);
        return describe(report);
      }
      // What it finds, or why it failed, is told at a later heartbeat.
      if (isDue()) void look().catch(() => null);
      return changeSince(last);
    },
  };
}

/** What the last look changed, said once. */
function changeSince(last: Looks): string | null {
  const { report, failure, told } = last;
  const found = failure ?? report;
  if (found === null || found === told) return null;
  last.told = found;
  if (found instanceof Error) throw found;
  const said = describe(found);
  if (told !== null && !(told instanceof Error) && said === describe(told)) return null;
  if (found.health === "unhealthy") throw new Error(`${said}. See: passepartout doctor`);
  if (told === null) return null;
  return found.health === "healthy" ? "healthy again" : said;
}

/** Findings that are named. */
const mostNamed = 5;

function describe({ health, checks }: HealthReport): string {
  const wrong = checks.filter(({ result }) => result !== "ok").map(({ name, text }) => `${name}: ${text}`);
  return [health, wrong.slice(0, mostNamed).join("; ")].filter((part) => part !== "").join(": ");
}

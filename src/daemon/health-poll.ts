import type { HealthReport } from "../health/check-health.ts";
import type { WireHealth } from "../wire/server/connection.ts";

/** The health of a daemon as it was found last. */
export type HealthPoll = {
  readonly health: () => WireHealth;
  /** Looks now. Looks at the same time are one. */
  readonly look: () => Promise<HealthReport>;
  /** The job of it: looks once a day, or sooner while something is bad, and says what changed; null where nothing did. Throws what is bad. */
  readonly work: (asked: boolean) => Promise<string | null>;
};

/** Milliseconds between two looks, where all was well and where something was bad. */
const [usual, soon] = [86_400_000, 600_000];

/** Makes a poll that has not looked yet. `clock` gives milliseconds. */
export function makeHealthPoll(parts: {
  readonly check: () => Promise<HealthReport>;
  readonly clock: () => number;
}): HealthPoll {
  const last = {
    report: null as HealthReport | null,
    at: 0,
    said: null as string | null,
    looking: null as Promise<HealthReport> | null,
  };
  const look = (): Promise<HealthReport> => {
    last.looking ??= parts
      .check()
      .then((report) => {
        last.report = report;
        last.at = parts.clock();
        return report;
      })
      .finally(() => {
        last.looking = null;
      });
    return last.looking;
  };
  return {
    look,
    health: () => ({ status: last.report?.health ?? "unknown", checked: last.report !== null }),
    async work(asked) {
      const before = last.report;
      const isBad = before?.health === "unhealthy";
      // What was bad at the start was not told by this job yet.
      const wait = !isBad ? usual : last.said === null ? 0 : soon;
      if (!asked && before !== null && Math.abs(parts.clock() - last.at) < wait) return null;
      const report = await look();
      const said = describe(report);
      last.said = report.health === "unhealthy" ? said : null;
      if (last.said !== null) throw new Error(`${said}. See: passepartout doctor`);
      if (asked) return said;
      if (before === null || said === describe(before)) return null;
      return report.health === "healthy" ? "healthy again" : said;
    },
  };
}

/** Findings that are named. */
const mostNamed = 5;

function describe({ health, checks }: HealthReport): string {
  const wrong = checks.filter(({ result }) => result !== "ok").map(({ name, text }) => `${name}: ${text}`);
  return [health, wrong.slice(0, mostNamed).join("; ")].filter((part) => part !== "").join(": ");
}

import { randomUUID } from "node:crypto";
import type { Clock } from "../../signal/clock.ts";
import type { FlightPlan, FlightPlans } from "../../signal/flight-plan.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** The version of what is kept. A plan that another version kept has ended. */
const version = 1;
type Kept = { readonly version: number; readonly plan: FlightPlan };
const prefix = "flight-plan:";

/** The approved flight plans, each as a value beside the tables. */
export function openFlightPlans(database: Database, clock: Clock): FlightPlans {
  const write = (plan: FlightPlan): void => {
    database.run(
      "INSERT OR REPLACE INTO meta VALUES (?, ?)",
      prefix + plan.session,
      JSON.stringify({ version, plan } satisfies Kept),
    );
  };
  const remove = (session: string): void => {
    database.run("DELETE FROM meta WHERE key = ?", prefix + session);
  };
  const inForce = (session: string): FlightPlan | null => {
    const row = database.get("SELECT value FROM meta WHERE key = ?", prefix + session);
    const kept = row === undefined ? null : json<Kept>(row, "value");
    return kept?.version === version && isInForce(kept.plan, clock()) ? kept.plan : null;
  };
  return {
    keep: async (plan) =>
      database.transaction("forced", () => {
        for (const row of database.all("SELECT value FROM meta WHERE key GLOB ?", `${prefix}*`)) {
          const kept = json<Kept>(row, "value");
          if (!isInForce(kept.plan, clock())) remove(kept.plan.session);
        }
        write({ ...plan, id: randomUUID() });
      }),
    of: async (session) => inForce(session),
    use: async ({ session, plan: id, steps }) =>
      database.transaction("forced", () => {
        const plan = inForce(session);
        if (plan?.id !== id || steps.length === 0 || new Set(steps).size !== steps.length) return false;
        if (!steps.every((step) => (plan.steps[step]?.used ?? 0) < (plan.steps[step]?.times ?? 0)))
          return false;
        write({
          ...plan,
          steps: plan.steps.map((step, index) =>
            steps.includes(index) ? { ...step, used: step.used + 1 } : step,
          ),
        });
        return true;
      }),
    drop: async (session) =>
      database.transaction("forced", () => {
        const was = inForce(session) !== null;
        remove(session);
        return was;
      }),
  };
}

function isInForce({ until, steps }: FlightPlan, now: number): boolean {
  return now < until && steps.some(({ used, times }) => used < times);
}

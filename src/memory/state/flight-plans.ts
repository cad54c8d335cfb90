import { randomUUID } from "node:crypto";
import type { EndedPlan, FlightPlan, FlightPlans, HeldBy, PlanEnd } from "../../signal/flight-plan.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";

/** The version of what is kept. Version 1 had no cap, and no plan on hold; version 2 did not say which call put it on hold. */
const version = 3;
type Kept = { readonly version: number; readonly plan: FlightPlan };
const prefix = "flight-plan:";
const endedPrefix = "ended-flight-plan:";

/** The approved flight plans, and those that ended and are not journalled yet, each as a value beside the tables. */
export function openFlightPlans(database: Database, clock: Clock): FlightPlans {
  const kept = openKeptPlans(database, clock);
  return {
    keep: async (plan) =>
      database.forced(() => {
        kept.endOver();
        const before = kept.inForce(plan.session);
        if (before !== null) kept.end(before, "replaced");
        kept.write({ ...plan, id: randomUUID(), held: false, heldBy: null });
      }),
    of: async (session) => kept.inForce(session),
    hold: async (session, heldBy) =>
      database.forced(() => {
        const plan = kept.inForce(session);
        if (plan === null || plan.held) return false;
        kept.write({ ...plan, held: true, heldBy });
        return true;
      }),
    resume: async (session, only) => {
      const isMeant = (plan: FlightPlan | null): plan is FlightPlan =>
        plan?.held === true && (only === undefined || isSameCall(plan.heldBy, only));
      if (!isMeant(kept.inForce(session))) return false;
      return database.forced(() => {
        const plan = kept.inForce(session);
        if (!isMeant(plan)) return false;
        kept.write({ ...plan, held: false, heldBy: null });
        return true;
      });
    },
    use: async ({ session, plan: id, steps }) =>
      database.forced(() => {
        const plan = kept.inForce(session);
        if (plan?.id !== id || plan.held || steps.length === 0 || new Set(steps).size !== steps.length)
          return false;
        if (!steps.every((step) => (plan.steps[step]?.used ?? 0) < (plan.steps[step]?.times ?? 0)))
          return false;
        const used = plan.steps.map((step, index) =>
          steps.includes(index) ? { ...step, used: step.used + 1 } : step,
        );
        kept.write({ ...plan, steps: used });
        return true;
      }),
    drop: async (session, how = "dropped") =>
      database.forced(() => {
        const plan = kept.inForce(session);
        if (plan !== null) kept.end(plan, how);
        return plan !== null;
      }),
    takeEnded: async () => {
      if (kept.over().length === 0 && kept.ended().length === 0) return [];
      return database.forced(() => {
        kept.endOver();
        const ended = kept.ended();
        database.run("DELETE FROM meta WHERE key GLOB ?", `${endedPrefix}*`);
        return ended;
      });
    },
  };
}

/** The rows of the plans. What changes them runs inside a transaction of the caller. */
function openKeptPlans(database: Database, clock: Clock) {
  const rows = (from: string) => database.all("SELECT value FROM meta WHERE key GLOB ?", `${from}*`);
  const set = (key: string, value: Kept | EndedPlan): void => {
    database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, JSON.stringify(value));
  };
  const plans = (): readonly FlightPlan[] =>
    rows(prefix).flatMap((row) => planOf(json<Kept>(row, "value")) ?? []);
  const over = () => plans().filter((plan) => !isInForce(plan, clock()));
  const end = ({ id, session }: FlightPlan, how: PlanEnd): void => {
    database.run("DELETE FROM meta WHERE key = ?", prefix + session);
    set(endedPrefix + id, { id, session, end: how });
  };
  return {
    over,
    end,
    write: (plan: FlightPlan): void => set(prefix + plan.session, { version, plan }),
    inForce: (session: string): FlightPlan | null => {
      const row = database.get("SELECT value FROM meta WHERE key = ?", prefix + session);
      const plan = row === undefined ? null : planOf(json<Kept>(row, "value"));
      return plan !== null && isInForce(plan, clock()) ? plan : null;
    },
    endOver: (): void => {
      for (const plan of over()) end(plan, isUsedUp(plan) ? "done" : "expired");
    },
    ended: () => rows(endedPrefix).map((row) => json<EndedPlan>(row, "value")),
  };
}

/** A plan as it was kept; null where a version kept it that is not known here. */
function planOf({ version: keptBy, plan }: Kept): FlightPlan | null {
  if (keptBy === version) return plan;
  if (keptBy === 2) return { ...plan, heldBy: null };
  return keptBy === 1 ? { ...plan, since: 0, spendingCap: null, held: false, heldBy: null } : null;
}

function isSameCall(one: HeldBy | null, other: HeldBy): boolean {
  return one?.turn === other.turn && one.digest === other.digest;
}

function isInForce(plan: FlightPlan, now: number): boolean {
  return now < plan.until && !isUsedUp(plan);
}

function isUsedUp({ steps }: FlightPlan): boolean {
  return steps.every(({ used, times }) => used >= times);
}

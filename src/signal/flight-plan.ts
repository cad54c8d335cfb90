import type { PlannedStep } from "./effect.ts";
import type { Licence } from "./facts.ts";
import { isJobSignal } from "./signal.ts";
import type { Turn } from "./turn.ts";

/** A flight plan that the owner approved: one contract for the steps of a job, in one session and folder. */
export type FlightPlan = {
  readonly id: string;
  readonly session: string;
  /** The real path of the folder in which it counts; null in a session without one. */
  readonly workspace: string | null;
  readonly steps: readonly UsedStep[];
  /** Unix milliseconds. From this time on it allows nothing. */
  readonly until: number;
  /** Unix milliseconds. What the session spends on models from this time on counts against the cap of the plan. */
  readonly since: number;
  /** Millionths of a dollar; null where the budget alone limits what is spent. */
  readonly spendingCap: number | null;
  /** On hold since a call differed from it: it allows nothing until the owner says yes to that call, or `/plan resume`. */
  readonly held: boolean;
  /** The digest of that call, with its turn; null without a hold, and where an older version put it on hold. */
  readonly heldBy: HeldBy | null;
};

/** Under which session the plan for a turn is kept. What a job is allowed is for its own runs alone, whoever else speaks in its session. */
export function planSessionOf({ session, signal }: Pick<Turn, "session" | "signal">): string {
  return isJobSignal(signal) ? planSessionOfJob(session) : session;
}

/** Under which session the plan of a job is kept, by the session of its turns. */
export function planSessionOfJob(session: string): string {
  return `${session}/job`;
}

/** The call whose question put a plan on hold. */
export type HeldBy = { readonly turn: string; readonly digest: string };

/** How a plan ended: each step was used up, its time was over, its cap was reached, the owner or `/stop` dropped it, or another took its place. */
export type PlanEnd = "done" | "expired" | "overspent" | "dropped" | "replaced";

/** A plan that ended, for the journal. */
export type EndedPlan = { readonly id: string; readonly session: string; readonly end: PlanEnd };

/** A step of an approved plan, with how often it was used. */
export type UsedStep = PlannedStep & { readonly used: number };

/** The steps of a plan that one call uses. */
export type PlanUse = { readonly session: string; readonly plan: string; readonly steps: readonly number[] };

/** What a plan allows of one call, and which of its steps that would use. */
export type PlanAllowance = { readonly licences: readonly Licence[]; readonly use: PlanUse };

/** The approved plans, at most one in a session. */
export type FlightPlans = {
  /** Keeps an approved plan; it replaces the one of its session. */
  readonly keep: (plan: Omit<FlightPlan, "id" | "held" | "heldBy">) => Promise<void>;
  /** The plan of a session; null without one, after its deadline, and once each step was used up. */
  readonly of: (session: string) => Promise<FlightPlan | null>;
  /** Puts the plan of a session on hold for the question about a call; false where there is none, or it is on hold already. */
  readonly hold: (session: string, by: HeldBy) => Promise<boolean>;
  /** Lets the plan of a session go on: whatever held it, or only where this call did. False where that changes nothing. */
  readonly resume: (session: string, only?: HeldBy) => Promise<boolean>;
  /** Counts one use of each of these steps, forced to disk. False, and nothing is counted, where the plan has ended or one of them is used up. */
  readonly use: (use: PlanUse) => Promise<boolean>;
  /** Ends the plan of a session; false where there was none. */
  readonly drop: (session: string, end?: "dropped" | "overspent") => Promise<boolean>;
  /** The plans that ended since this was asked last, each once. */
  readonly takeEnded: () => Promise<readonly EndedPlan[]>;
};

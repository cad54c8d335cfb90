import type { State } from "../../memory/state/state.ts";
import type { OwnerCommand } from "../../perceive/commands.ts";
import { describeEffect, reversalWords } from "../../shown/describe-effect.ts";
import { formatSteps } from "../../shown/format-plan.ts";
import { formatPlanAsOrg } from "../../shown/plan-as-org.ts";
import type { FlightPlan } from "../../signal/flight-plan.ts";
import { formatDuration } from "../../text/format-duration.ts";
import type { Json } from "../../text/json.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { CommandReply } from "./command-reply.ts";

/** What the commands about flight plans need. */
export type PlanParts = {
  readonly state: Pick<State, "flightPlans" | "ledger">;
  readonly journal: AppendToJournal;
  readonly journalEndedPlans: () => Promise<void>;
};

type Reply = CommandReply;

const none: Reply = {
  code: "no-plan",
  text: "This session has no flight plan. The agent proposes one for a job of several steps; it counts after your yes.",
};

/** Shows, ends or resumes the flight plan of a session. */
export function planCommand(
  parts: PlanParts,
  change: Extract<OwnerCommand, { readonly kind: "plan" }>["change"],
  session: string,
): Promise<Reply> {
  switch (change) {
    case "none":
      return showPlan(parts, session);
    case "org":
      return showPlanAsOrg(parts, session);
    case "drop":
      return dropPlan(parts, session);
    case "resume":
      return resumePlan(parts, session);
  }
}

/** Shows the flight plan of a session, with how often each step was used. */
async function showPlan({ state: { flightPlans, ledger } }: PlanParts, session: string): Promise<Reply> {
  const plan = await flightPlans.of(session);
  if (plan === null) return none;
  const text = [
    "The flight plan of this session:",
    ...formatSteps(plan.steps),
    ...(plan.held ? [onHold] : []),
    ...(await formatCap(ledger, plan)),
    `It ends in ${formatDuration(plan.until - Date.now())}. End it now: /plan drop`,
  ];
  return { code: "plan", text: text.join("\n"), data: planData(plan) };
}

function planData({ steps, until, held }: FlightPlan): Json {
  return {
    held,
    "until-ms": until,
    steps: steps.map(({ words, times, used, effects }) => ({
      words,
      times,
      used,
      effects: effects.map((effect) => `${describeEffect(effect)} (${reversalWords[effect.reversal]})`),
    })),
  };
}

/** Shows the flight plan of a session as an Org node, to be kept and changed. */
async function showPlanAsOrg({ state }: PlanParts, session: string): Promise<Reply> {
  const plan = await state.flightPlans.of(session);
  if (plan === null) return none;
  const advice =
    "Keep this in any note and change it as you like: that changes no plan. Ask for the plan in that note to be proposed; it counts after your yes.";
  return { code: "plan", text: `${formatPlanAsOrg(plan)}\n\n${advice}` };
}

const onHold =
  "It is on hold, since a call differed from it: each step asks you. A yes to that call, or /plan resume, lets it go on; a yes to another question does not.";

/** Lets a flight plan go on that is on hold. */
async function resumePlan({ state, journal }: PlanParts, session: string): Promise<Reply> {
  if ((await state.flightPlans.of(session)) === null) return none;
  if (!(await state.flightPlans.resume(session)))
    return { code: "plan-resumed", text: "The flight plan was not on hold. It goes on." };
  await journal({ kind: "note", session, detail: { event: "flight-plan-resumed" } });
  return { code: "plan-resumed", text: "The flight plan goes on." };
}

async function formatCap(
  ledger: State["ledger"],
  { session, since, spendingCap }: FlightPlan,
): Promise<readonly string[]> {
  if (spendingCap === null) return [];
  const totals = await ledger.totals({ session, since });
  const spent = totals.reduce((sum, { microdollars }) => sum + microdollars, 0);
  const dollars = (sum: number): string => `$${(sum / 1_000_000).toFixed(4)}`;
  return [`Of its ${dollars(spendingCap)} for model calls ${dollars(spent)} are spent.`];
}

/** Ends the flight plan of a session. */
export async function dropPlan({ state, journalEndedPlans }: PlanParts, session: string): Promise<Reply> {
  if (!(await state.flightPlans.drop(session))) return none;
  await journalEndedPlans();
  return { code: "plan-dropped", text: "The flight plan has ended. Each further step asks you again." };
}

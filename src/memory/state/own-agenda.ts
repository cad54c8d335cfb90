import type { Approval } from "../../signal/approval.ts";
import type { KeptJob } from "../../signal/jobs/job.ts";
import { conversationLabel } from "../../signal/message.ts";
import { nameOfSession } from "./name-of-session.ts";
import { raisedBy, startOfDay } from "./spending-day.ts";
import type { State } from "./state.ts";

/** Something of the agent itself that waits for its owner. It is gone once it is answered. */
export type OwnItem = {
  readonly kind: "question" | "failed" | "put-off" | "missed" | "budget";
  /** What waits, without words that others chose. */
  readonly text: string;
  /** Whether it names something private. */
  readonly isPrivate: boolean;
  /** Why, where it is known; it may hold private words. */
  readonly reason: string;
  /** What to type next. */
  readonly next: string;
};

/** What reading the items needs. The budget of a day is in dollars. */
export type OwnAgendaParts = {
  readonly state: Pick<State, "approvals" | "sessions" | "turns" | "jobs" | "ledger" | "raisedBudget">;
  /** Whether a job is private by its entry. Default: none is. */
  readonly isPrivateJob?: (job: KeptJob) => boolean;
  readonly budgetPerDay: number;
  readonly now: number;
};

/** The part of a day's budget from which on it stands in the agenda. */
const much = 0.8;

/** The questions that wait, the jobs whose last run did not go well, and a budget that is nearly used up. */
export async function ownAgenda(parts: OwnAgendaParts): Promise<readonly OwnItem[]> {
  return [...(await questions(parts)), ...(await jobsNotDone(parts)), ...(await budget(parts))];
}

async function questions({ state, isPrivateJob }: OwnAgendaParts): Promise<readonly OwnItem[]> {
  const items: OwnItem[] = [];
  for (const approval of await state.approvals.open()) {
    const named = await nameOfSession(state.sessions, approval.session);
    const job = await state.jobs.ofSession(approval.session);
    const turn = await state.turns.get(approval.turn);
    const isPrivateTurn = turn === null || conversationLabel(turn.messages).secrecy !== "public";
    items.push({
      kind: "question",
      text: `A question waits in the session ${named}: ${toolOf(approval)}`,
      isPrivate: isPrivateTurn || (job !== null && isPrivateJob?.(job) === true),
      reason: "",
      next: `passepartout cli --session ${named.includes(" ") ? `'${named}'` : named}`,
    });
  }
  return items;
}

function toolOf({ action: { target, payload } }: Approval): string {
  const { tool } = payload;
  return typeof tool === "string" ? tool : target;
}

const outcomes = { failed: "failed", "put-off": "was put off", missed: "was missed" } as const;
/** Why an instant has no run of its own, where that is as it should be. */
const asItShouldBe: ReadonlySet<string> = new Set(["A later run of the job stands for it."]);

/** A job that is paused or gone waits for nobody. */
async function jobsNotDone({ state: { jobs }, isPrivateJob }: OwnAgendaParts): Promise<readonly OwnItem[]> {
  const items: OwnItem[] = [];
  for (const job of await jobs.all()) {
    const { name, paused } = job;
    if (paused) continue;
    const runs = await jobs.runs.list({
      job: name,
      states: ["done", "failed", "put-off", "missed"],
      undismissed: true,
      most: 10,
    });
    const last = runs.find(({ state, reason }) => state !== "missed" || !asItShouldBe.has(reason));
    if (last?.state !== "failed" && last?.state !== "put-off" && last?.state !== "missed") continue;
    items.push({
      kind: last.state,
      text: `The job ${name} ${outcomes[last.state]}`,
      isPrivate: isPrivateJob?.(job) === true,
      reason: last.reason,
      next: `passepartout jobs run ${name}, or passepartout jobs dismiss ${name}`,
    });
  }
  return items;
}

async function budget({ state, budgetPerDay, now }: OwnAgendaParts): Promise<readonly OwnItem[]> {
  const most = budgetPerDay + raisedBy(await state.raisedBudget.get(), now) / 1e6;
  const models = await state.ledger.totals({ since: startOfDay(now) });
  const used = models.reduce((sum, { microdollars }) => sum + microdollars, 0) / 1e6;
  if (most <= 0 || used < much * most) return [];
  return [
    {
      kind: "budget",
      text: `${Math.round((100 * used) / most)} % of today's budget is used: $${used.toFixed(2)} of $${most.toFixed(2)}`,
      isPrivate: false,
      reason: "",
      next: "passepartout budget, or /budget more DOLLARS in a conversation",
    },
  ];
}

/**
 * The items as lines above the days of an agenda. A model is told no reason, and of what is private only that
 * it waits.
 */
export function printOwnItems(items: readonly OwnItem[], reader: "owner" | "model"): string {
  if (items.length === 0) return "";
  const lines = items.map(({ kind, text, isPrivate, reason, next }) => {
    if (reader === "model" && isPrivate) return withheldLine(kind);
    const why = reader === "owner" && reason !== "" ? `: ${reason}` : "";
    return `  ${text}${why}\n    next: ${next}`;
  });
  return ["Waiting for you", ...lines].join("\n");
}

function withheldLine(kind: OwnItem["kind"]): string {
  const what =
    kind === "question" || kind === "budget"
      ? "A question waits in a session: [withheld: private]"
      : `A job ${outcomes[kind]}: [withheld: private]`;
  return `  ${what}\n    next: passepartout agenda, which names it to the owner`;
}

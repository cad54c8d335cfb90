import { describeBreaks, type PrefixBreak, type SentPrefixes } from "../../signal/sent-prefix.ts";
import type { ModelSpending, Spending, UsageKey, UsageRow } from "../../signal/spending.ts";
import type { Ledger } from "./ledger.ts";
import { startOfDay } from "./spending-day.ts";

/** The budgets of the settings, in dollars. */
export type Budgets = { readonly budgetPerDay: number; readonly budgetPerSession: number };

/** What was spent today in all sessions, and ever in one session. */
export type SpendingReport = { readonly today: Spending; readonly session: Spending };

/** Reads from the ledger what was spent today and in a session. `now` is Unix milliseconds. */
export async function readSpending(
  ledger: Ledger,
  { session, budgets, now }: { readonly session: string; readonly budgets: Budgets; readonly now: number },
): Promise<SpendingReport> {
  const today = await ledger.totals({ since: startOfDay(now) });
  const own = await ledger.totals({ session });
  return {
    today: sum(today, budgets.budgetPerDay),
    session: sum(own, budgets.budgetPerSession),
  };
}

/** How many days are counted where nobody says. */
export const usualDays = 30;

/** Reads from the ledger what calls took in so many days, today included, with that time in words. `now` is Unix milliseconds. */
export async function readUsage(
  ledger: Pick<Ledger, "usage">,
  { by, days, now }: { readonly by: UsageKey; readonly days: number; readonly now: number },
): Promise<{ readonly rows: readonly UsageRow[]; readonly period: string }> {
  const rows = await ledger.usage(by, beginOf(days, now));
  return { rows, period: days === 1 ? "today" : `in ${days} days` };
}

/**
 * Reads where requests of so many days, today included, did not begin with what was sent before, and tells it
 * in words; empty where all did.
 */
export async function readPrefixBreaks(
  sentPrefixes: Pick<SentPrefixes, "breaks">,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<{ readonly breaks: readonly PrefixBreak[]; readonly text: string }> {
  const breaks = await sentPrefixes.breaks(beginOf(days, now));
  return { breaks, text: describeBreaks(breaks, { now, zoneMinutes: -new Date(now).getTimezoneOffset() }) };
}

/** When the first of so many days began, today included. */
function beginOf(days: number, now: number): number {
  const first = new Date(startOfDay(now));
  first.setDate(first.getDate() - (days - 1));
  return first.getTime();
}

function sum(models: readonly ModelSpending[], limitDollars: number): Spending {
  const microdollars = models.reduce((total, model) => total + model.microdollars, 0);
  return { microdollars, limitMicrodollars: limitDollars * 1_000_000, models };
}

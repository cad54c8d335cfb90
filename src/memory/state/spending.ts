import type { ModelSpending, Spending } from "../../signal/spending.ts";
import { type Ledger, startOfDay } from "./ledger.ts";

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

function sum(models: readonly ModelSpending[], limitDollars: number): Spending {
  const microdollars = models.reduce((total, model) => total + model.microdollars, 0);
  return { microdollars, limitMicrodollars: limitDollars * 1_000_000, models };
}

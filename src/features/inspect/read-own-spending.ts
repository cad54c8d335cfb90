import { readSpending } from "../../memory/state/spending.ts";
import { openStateReader } from "../../program/read-state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Spending } from "../../signal/spending.ts";

/** What was spent today, and in one session; null where there is no such session. */
export type OwnSpending = {
  readonly today: Spending;
  readonly session: (Spending & { readonly id: string; readonly name: string | null }) | null;
};

/** Reads what was spent, beside the process that writes it. `name` is that of a session; null for the last one of this folder. */
export async function readOwnSpending(start: StartContext, name: string | null): Promise<OwnSpending> {
  const { config } = loadPolicy(start.environment);
  await using reader = await openStateReader(start);
  const { ledger, sessions } = reader.state;
  const session = name === null ? await sessions.latest(start.cwd) : await sessions.byName(name);
  const wanted = { session: session?.id ?? "", budgets: config, now: Date.now() };
  const { today, session: own } = await readSpending(ledger, wanted);
  return { today, session: session === null ? null : { id: session.id, name: session.name, ...own } };
}

import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { describeSpending } from "../../signal/spending.ts";
import { budgetSpec } from "./command-specs.ts";
import { readOwnSpending } from "./read-own-spending.ts";

/** Prints what was spent today and in a session. Exit code 5 if nothing is left of one of their budgets. */
export async function budgetCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, budgetSpec);
  const { today, session } = await readOwnSpending(makeStartContext(io), values.session ?? null);
  if (session === null && values.session !== undefined) {
    io.err(
      `There is no session named '${values.session}'. Leave --session out for the last one of this folder.\n`,
    );
    return exitCodes.failed;
  }
  const lines = [
    describeSpending("today", today),
    session === null
      ? "There is no session of this folder yet."
      : describeSpending(`in session ${session.name ?? session.id.slice(0, 8)}`, session),
  ];
  io.out(values.json ? `${JSON.stringify({ today, session })}\n` : `${lines.join("\n")}\n`);
  const isSpent = [today, session].some(
    (budget) => budget !== null && budget.microdollars >= budget.limitMicrodollars,
  );
  return isSpent ? exitCodes.overBudget : exitCodes.done;
}

import { describeSpending } from "../../signal/spending.ts";
import { readOwnSpending } from "../offline/read-own-spending.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { makeStartContext } from "./start-context.ts";

const usage = `passepartout budget [--session NAME] [--json]
Shows what model calls took today and in the last session of this folder, by model: calls, tokens (cached, put into the cache and thinking are parts
of the others), cost, and where each price comes from. It asks no provider, and works beside a running daemon.
  --session NAME  shows the session with this name
  --json          prints a JSON object; money is in millionths of a dollar
Exit codes: 0 something is left of each budget, 1 there is no such session, or the state cannot be read, 2 wrong usage, 5 a budget is spent.`;

/** Prints what was spent today and in a session. Exit code 5 if nothing is left of one of their budgets. */
export async function budgetCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    session: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw usageError(`Unexpected argument '${positionals[0]}'.`, usage);
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
      : describeSpending(`in session ${session.name ?? session.id}`, session),
  ];
  io.out(values.json ? `${JSON.stringify({ today, session })}\n` : `${lines.join("\n")}\n`);
  const isSpent = [today, session].some(
    (budget) => budget !== null && budget.microdollars >= budget.limitMicrodollars,
  );
  return isSpent ? exitCodes.overBudget : exitCodes.done;
}

import { readUsage, usualDays } from "../../memory/state/spending.ts";
import type { State } from "../../memory/state/state.ts";
import { describeUsage, type UsageKey } from "../../signal/spending.ts";
import type { CommandReply } from "./command-reply.ts";

/** Tells what model calls took in the last days, by one of their properties. */
export async function usageCommand({ ledger }: Pick<State, "ledger">, by: UsageKey): Promise<CommandReply> {
  const { rows, period } = await readUsage(ledger, { by, days: usualDays, now: Date.now() });
  return { code: "usage", text: describeUsage(by, rows, period), data: rows };
}

import { readPrefixBreaks, readUsage, usualDays } from "../../memory/state/spending.ts";
import type { State } from "../../memory/state/state.ts";
import { describeUsage, type UsageKey } from "../../signal/spending.ts";
import type { CommandReply } from "./command-reply.ts";

/** Tells what model calls took in the last days, by one of their properties. */
export async function usageCommand(
  state: Pick<State, "ledger" | "sentPrefixes">,
  by: UsageKey,
): Promise<CommandReply> {
  const now = Date.now();
  const { rows, period } = await readUsage(state.ledger, { by, days: usualDays, now });
  const { breaks, text } = await readPrefixBreaks(state.sentPrefixes, { days: usualDays, now });
  const words = [describeUsage(by, rows, period), ...(text === "" ? [] : [text])];
  return { code: "usage", text: words.join("\n"), data: [...rows, ...breaks.map((one) => ({ break: one }))] };
}

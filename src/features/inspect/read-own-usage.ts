import { readPrefixBreaks, readUsage } from "../../memory/state/spending.ts";
import { openStateReader } from "../../program/read-state.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { PrefixBreak } from "../../signal/sent-prefix.ts";
import type { UsageKey, UsageRow } from "../../signal/spending.ts";

/**
 * Reads what calls took in so many days, and where what was sent did not go on from what was sent before,
 * beside the process that writes it.
 */
export async function readOwnUsage(
  start: StartContext,
  about: { readonly by: UsageKey; readonly days: number },
): Promise<{
  readonly rows: readonly UsageRow[];
  readonly period: string;
  readonly broken: { readonly breaks: readonly PrefixBreak[]; readonly text: string };
}> {
  await using reader = await openStateReader(start);
  const { ledger, sentPrefixes } = reader.state;
  const now = Date.now();
  return {
    ...(await readUsage(ledger, { ...about, now })),
    broken: await readPrefixBreaks(sentPrefixes, { days: about.days, now }),
  };
}

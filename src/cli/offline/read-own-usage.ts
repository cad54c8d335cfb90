import { readUsage } from "../../memory/state/spending.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { UsageKey, UsageRow } from "../../signal/spending.ts";
import { openStateReader } from "./read-state.ts";

/** Reads what calls took in so many days, beside the process that writes it. */
export async function readOwnUsage(
  start: StartContext,
  about: { readonly by: UsageKey; readonly days: number },
): Promise<{ readonly rows: readonly UsageRow[]; readonly period: string }> {
  await using reader = await openStateReader(start);
  return await readUsage(reader.state.ledger, { ...about, now: Date.now() });
}

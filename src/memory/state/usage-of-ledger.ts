import type { UsageKey, UsageRow } from "../../signal/spending.ts";
import type { Database } from "../storage/database.ts";
import { integer, textOrNull } from "../storage/rows.ts";

/** The expression that calls are grouped by. A day is a calendar day in the machine's time zone. */
const keys: { readonly [By in UsageKey]: string } = {
  day: "date(at / 1000, 'unixepoch', 'localtime')",
  job: "job",
  skill: "skill",
  model: "provider || '/' || model",
  rule: "route",
};

/** The totals of calls from a time on, by one of their properties: the dearest first, and days in their order. */
export function usageBy(database: Database, by: UsageKey, since: number): readonly UsageRow[] {
  const order = by === "day" ? "key" : "cost DESC, calls DESC, key";
  return database
    .all(
      `SELECT ${keys[by]} AS key, count(*) AS calls, sum(state = 'failed') AS failed, sum(cost) AS cost, sum(input) AS input,
         sum(cache_read) AS cache_read, sum(output) AS output
       FROM ledger WHERE at >= ? GROUP BY 1 ORDER BY ${order}`,
      since,
    )
    .map((row) => ({
      key: textOrNull(row, "key"),
      calls: integer(row, "calls"),
      failed: integer(row, "failed"),
      inputTokens: integer(row, "input"),
      cacheReadTokens: integer(row, "cache_read"),
      outputTokens: integer(row, "output"),
      microdollars: integer(row, "cost"),
    }));
}

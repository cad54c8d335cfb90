import { consensusRoute, type UsageKey, type UsageRow } from "../../signal/spending.ts";
import type { Database } from "../storage/database.ts";
import { integer, text, textOrNull } from "../storage/rows.ts";

/** What the calls of one turn took. `promptTokens` is the input of the last one: what the conversation takes of the model's window. */
export type LatestCalls = {
  readonly provider: string;
  readonly model: string;
  readonly promptTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly microdollars: number;
};

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

/** Null before the first call of a session. An answer that was only compared with another does not count. */
export function latestCalls(database: Database, session: string): LatestCalls | null {
  const row = database.get(
    `SELECT provider, model, input AS prompt,
       (SELECT sum(input) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS input,
       (SELECT sum(output) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS output,
       (SELECT sum(cost) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS cost
     FROM ledger AS last WHERE session = ? AND state = 'settled' AND route IS NOT '${consensusRoute}' ORDER BY at DESC LIMIT 1`,
    session,
  );
  if (row === undefined) return null;
  return {
    provider: text(row, "provider"),
    model: text(row, "model"),
    promptTokens: integer(row, "prompt"),
    inputTokens: integer(row, "input"),
    outputTokens: integer(row, "output"),
    microdollars: integer(row, "cost"),
  };
}

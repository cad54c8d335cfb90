import {
  consensusRoute,
  type ModelSpending,
  priceSources,
  type UsageKey,
  type UsageRow,
} from "../../signal/spending.ts";
import type { Database } from "../storage/database.ts";
import { integer, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";

/** What the calls of one turn took. `promptTokens` is the input of the last one: what the conversation takes of the model's window. */
export type LatestCalls = {
  readonly turn: string;
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

/** How many of the latest calls of a turn a crash ended. */
export function lostInARow(
  database: Database,
  { id, session }: { readonly id: string; readonly session: string },
): number {
  const latest = database.all(
    "SELECT state FROM ledger WHERE session = ? AND turn = ? ORDER BY at DESC LIMIT 100",
    session,
    id,
  );
  const ended = latest.findIndex((row) => text(row, "state") !== "unknown");
  return ended === -1 ? latest.length : ended;
}

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
    `SELECT turn, provider, model, input AS prompt,
       (SELECT sum(input) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS input,
       (SELECT sum(output) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS output,
       (SELECT sum(cost) FROM ledger AS own WHERE own.session = last.session AND own.turn = last.turn) AS cost
     FROM ledger AS last WHERE session = ? AND state = 'settled' AND route IS NOT '${consensusRoute}' ORDER BY at DESC LIMIT 1`,
    session,
  );
  if (row === undefined) return null;
  return {
    turn: text(row, "turn"),
    provider: text(row, "provider"),
    model: text(row, "model"),
    promptTokens: integer(row, "prompt"),
    inputTokens: integer(row, "input"),
    outputTokens: integer(row, "output"),
    microdollars: integer(row, "cost"),
  };
}

/** The totals of each model at prices of one origin, of a session or from a time on. */
export function totalsOf(
  database: Database,
  { session, since }: { readonly session?: string; readonly since?: number },
): readonly ModelSpending[] {
  return database
    .all(
      `SELECT provider, model, price_from, price_day, count(*) AS calls, sum(state = 'failed') AS failed, sum(state = 'unknown') AS unknown,
         sum(cost) AS cost, sum(input) AS input, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(output) AS output,
         sum(thinking) AS thinking
       FROM ledger WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR at >= ?2)
       GROUP BY provider, model, price_from, price_day ORDER BY provider, model, price_from, price_day`,
      session ?? null,
      since ?? null,
    )
    .map(spendingOf);
}

function spendingOf(row: Row): ModelSpending {
  return {
    provider: text(row, "provider"),
    model: text(row, "model"),
    price: { from: oneOf(row, "price_from", priceSources), day: textOrNull(row, "price_day") },
    calls: integer(row, "calls"),
    failed: integer(row, "failed"),
    unknown: integer(row, "unknown"),
    inputTokens: integer(row, "input"),
    cacheReadTokens: integer(row, "cache_read"),
    cacheWriteTokens: integer(row, "cache_write"),
    outputTokens: integer(row, "output"),
    thinkingTokens: integer(row, "thinking"),
    microdollars: integer(row, "cost"),
  };
}

import { randomUUID } from "node:crypto";
import type { Clock } from "../../signal/clock.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import type { Database } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";

/** Caps in millionths of a dollar; null where there is none. The day is the calendar day of the machine's time zone. */
export type SpendingLimits = { readonly perDay: number | null; readonly perSession: number | null };

/** What a call to a provider took. Money in millionths of a dollar. */
export type CallCost = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly microdollars: number;
};

/** What one provider took so far. `unknown` counts calls whose end a crash hid; they are booked at what was reserved. */
export type ProviderTotal = CallCost & {
  readonly provider: string;
  readonly calls: number;
  readonly failed: number;
  readonly unknown: number;
};

/** What model calls cost. Nothing is sent before its price is reserved. */
export type Ledger = {
  /** Reserves against all caps at once, or says what remains under the tightest of them. Unforced: the intent of the call is forced to the journal before it, and brings back a reservation that was lost. */
  readonly reserve: (wanted: {
    readonly turn: string;
    readonly session: string;
    readonly provider: string;
    readonly model: string;
    readonly microdollars: number;
    readonly limits: SpendingLimits;
  }) => Promise<
    | { readonly ok: true; readonly id: string }
    | { readonly ok: false; readonly remaining: number; readonly requested: number }
  >;
  /** Books what the call really took, with the next transaction: what a crash loses of it stays booked at what was reserved. */
  readonly settle: (id: string, usage: CallCost) => Promise<void>;
  /** Books a try that failed: nothing, or what it took all the same. */
  readonly release: (id: string, reason: string, usage?: CallCost) => Promise<void>;
  /** By provider, in order of name. */
  readonly totals: (filter: {
    readonly session?: string;
    readonly since?: number;
  }) => Promise<readonly ProviderTotal[]>;
};

/** The ledger of a database. */
export function openLedger(database: Database, clock: Clock): Ledger {
  const end = (id: string, state: "settled" | "failed", reason: string, usage: CallCost): void => {
    const [cost, input, output] = [usage.microdollars, usage.inputTokens, usage.outputTokens].map(amount);
    database.transaction("deferred", () => {
      const ended = database.run(
        "UPDATE ledger SET state = ?, reason = ?, cost = ?, input = ?, output = ? WHERE id = ? AND state = 'reserved'",
        state,
        reason,
        cost ?? 0,
        input ?? 0,
        output ?? 0,
        id,
      );
      if (ended === 0) throw new PipelineError(`the ledger has no open reservation ${id}`, null);
    });
  };
  return {
    reserve: async ({ turn, session, provider, model, microdollars, limits }) =>
      database.transaction("unforced", () => {
        const requested = amount(microdollars);
        const now = clock();
        const remaining = Math.min(
          left(limits.perDay, () => spent(database, "at >= ?", startOfDay(now))),
          left(limits.perSession, () => spent(database, "session = ?", session)),
        );
        if (requested > remaining) return { ok: false, remaining, requested };
        const id = randomUUID();
        insert(database, { id, turn, session, provider, model, requested, at: now }, "reserved");
        return { ok: true, id };
      }),
    settle: async (id, usage) => end(id, "settled", "", usage),
    release: async (id, reason, usage = { inputTokens: 0, outputTokens: 0, microdollars: 0 }) =>
      end(id, "failed", reason, usage),
    totals: async ({ session, since }) =>
      database
        .all(
          `SELECT provider, count(*) AS calls, sum(state = 'failed') AS failed, sum(state = 'unknown') AS unknown,
             sum(cost) AS cost, sum(input) AS input, sum(output) AS output
           FROM ledger WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR at >= ?2) GROUP BY provider ORDER BY provider`,
          session ?? null,
          since ?? null,
        )
        .map((row) => ({
          provider: text(row, "provider"),
          calls: integer(row, "calls"),
          failed: integer(row, "failed"),
          unknown: integer(row, "unknown"),
          inputTokens: integer(row, "input"),
          outputTokens: integer(row, "output"),
          microdollars: integer(row, "cost"),
        })),
  };
}

/** Books the reservations that a crash left open, at what was reserved; returns how many. */
export function bookUnfinishedCalls(database: Database): number {
  if (database.get("SELECT 1 FROM ledger WHERE state = 'reserved' LIMIT 1") === undefined) return 0;
  return database.transaction("forced", () =>
    database.run(
      "UPDATE ledger SET state = 'unknown', reason = 'the process ended before the call did' WHERE state = 'reserved'",
    ),
  );
}

/** Books the calls that the journal meant to make and whose reservations a power cut took, at what was reserved. */
export function bookLostCalls(database: Database, entries: readonly JournalEntry[]): void {
  for (const { kind, detail, turn, session, at } of entries) {
    const { event, reservation: id, microdollars: requested, provider, model } = detail;
    if (kind !== "intent" || event !== "model-call" || typeof id !== "string") continue;
    if (typeof requested !== "number" || typeof provider !== "string" || typeof model !== "string") continue;
    const where = { id, turn: turn ?? "", session: session ?? "", provider, model };
    insert(database, { ...where, requested: amount(requested), at }, "unknown");
  }
}

/** Adds a row of its state, unless there is one of its id. */
function insert(
  database: Database,
  row: {
    readonly id: string;
    readonly turn: string;
    readonly session: string;
    readonly provider: string;
    readonly model: string;
    readonly requested: number;
    readonly at: number;
  },
  state: "reserved" | "unknown",
): void {
  database.run(
    `INSERT OR IGNORE INTO ledger (id, turn, session, provider, model, state, reserved, cost, input, output, reason, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
    row.id,
    row.turn,
    row.session,
    row.provider,
    row.model,
    state,
    row.requested,
    row.requested,
    state === "unknown" ? "the power went before the call ended" : "",
    row.at,
  );
}

function spent(database: Database, where: string, value: string | number): number {
  const row = database.get(`SELECT coalesce(sum(cost), 0) AS cost FROM ledger WHERE ${where}`, value);
  return row === undefined ? 0 : integer(row, "cost");
}

function left(cap: number | null, spentSoFar: () => number): number {
  return cap === null ? Number.POSITIVE_INFINITY : Math.max(0, cap - spentSoFar());
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** Money and tokens are whole and not negative; a part of a unit is rounded up, and what is no number is a fault. */
function amount(value: number): number {
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`${value} is not an amount`);
  return Math.ceil(value);
}

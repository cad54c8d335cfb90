import { randomUUID } from "node:crypto";
import { PipelineError } from "../../signal/failure.ts";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import type { ModelSpending, PriceOrigin, UsageKey, UsageRow } from "../../signal/spending.ts";
import type { SubTask, SubTaskCap } from "../../signal/sub-task.ts";
import type { Clock } from "../../text/clock.ts";
import { least } from "../../text/lists.ts";
import type { Database } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";
import { startOfDay } from "./spending-day.ts";
import { answersOfSubTask, insertSubTaskCall, spentBySubTask, subTaskOfTurn } from "./sub-tasks.ts";
import { type LatestCalls, latestCalls, lostInARow, totalsOf, usageBy } from "./usage-of-ledger.ts";

/** Caps in millionths of a dollar; null where there is no cap. A day is a calendar day in the machine's time zone. */
export type SpendingLimits = {
  readonly perDay: number | null;
  readonly perSession: number | null;
  readonly perTurn: number | null;
  /** The cap of a flight plan: what its session spends from a time on, in Unix milliseconds. */
  readonly perPlan?: { readonly since: number; readonly microdollars: number };
  /** The caps of a sub-task and of those that it is a part of. */
  readonly perSubTask?: readonly SubTaskCap[];
  /** How many calls the turn may make with its sub-tasks; left out, or null, where nothing limits that. */
  readonly calls?: number | null;
};

/** Tokens and cost of a model call. Money is in millionths of a dollar; `statedMicrodollars` is there where the provider itself stated the cost. */
export type CallCost = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly thinkingTokens?: number;
  readonly statedMicrodollars?: number;
  readonly microdollars: number;
};

/** What a call is for: the job and the skill of its turn, and what chose its model; null where there is none. */
export type CallPurpose = {
  readonly job: string | null;
  readonly skill: string | null;
  readonly route: string | null;
};

const noPurpose: CallPurpose = { job: null, skill: null, route: null };

/** Why nothing was reserved: the tightest cap and its sums; or, with `mostCalls`, the turn or the sub-task made so many calls already. */
export type RefusedReservation = {
  readonly ok: false;
  readonly cap?: "day" | "session" | "turn" | "plan" | "sub-task";
  readonly remaining: number;
  readonly requested: number;
  readonly mostCalls?: number;
};

/** The costs of model calls. A call is sent only after its price was reserved. */
export type Ledger = {
  /** Reserves against all caps at once, or says what remains under the tightest cap. The reservation is unforced: the intent in the journal names it, and books the call where the reservation was lost. */
  readonly reserve: (wanted: {
    readonly turn: string;
    readonly session: string;
    readonly provider: string;
    readonly model: string;
    readonly price: PriceOrigin;
    readonly microdollars: number;
    readonly limits: SpendingLimits;
    /** Earlier turns that tried the same: the caps of the turn count what they cost. */
    readonly earlierTurns?: readonly string[];
    /** The sub-task that makes the call. It is booked on the turn and session at the beginning. */
    readonly subTask?: SubTask;
    readonly purpose?: CallPurpose;
  }) => Promise<{ readonly ok: true; readonly id: string } | RefusedReservation>;
  /** Books the real cost, with the next transaction. A call that a crash interrupts before that stays booked at its reservation. */
  readonly settle: (id: string, usage: CallCost) => Promise<void>;
  /** Books a failed attempt: at nothing, or at what it cost nevertheless. */
  readonly release: (id: string, reason: string, usage?: CallCost) => Promise<void>;
  /** What the calls of the turn that asked a model last in a session took, with the model of its last answer; null before the first. */
  readonly latest: (session: string) => Promise<LatestCalls | null>;
  /** How often the process ended in a call of a turn, since the last of its calls that came to an end. */
  readonly lostInARow: (turn: { readonly id: string; readonly session: string }) => Promise<number>;
  /** The models that answered in a turn, as `provider/model`. */
  readonly modelsOf: (turn: { readonly id: string; readonly session: string }) => Promise<readonly string[]>;
  /** The totals of calls by one of their properties, from a time on, the dearest first; days in their order. */
  readonly usage: (by: UsageKey, since: number) => Promise<readonly UsageRow[]>;
  /** The totals of each model at prices of one origin, by the names of provider and model. */
  readonly totals: (filter: {
    readonly session?: string;
    readonly since?: number;
  }) => Promise<readonly ModelSpending[]>;
};

/** The ledger of a database. */
export function openLedger(database: Database, clock: Clock): Ledger {
  return {
    reserve: async ({
      turn,
      session,
      provider,
      model,
      price,
      microdollars,
      limits,
      earlierTurns = [],
      subTask,
      purpose = noPurpose,
    }) =>
      database.transaction("unforced", () => {
        const requested = amount(microdollars);
        const now = clock();
        const { calls: mostCalls = null, perSubTask = [] } = limits;
        const turns = JSON.stringify([turn, ...earlierTurns]);
        if (mostCalls !== null && countCalls(database, session, turns) >= mostCalls)
          return { ok: false, remaining: 0, requested, mostCalls };
        const ended = perSubTask.find(({ task, calls }) => answersOfSubTask(database, task) >= calls);
        if (ended !== undefined)
          return { ok: false, cap: "sub-task", remaining: 0, requested, mostCalls: ended.calls };
        const { cap, remaining } = tightestOf(database, limits, { session, turns, now });
        if (requested > remaining) return { ok: false, cap, remaining, requested };
        const id = randomUUID();
        const where = { id, turn, session, provider, model, price };
        insert(database, { ...where, ...purpose, requested, at: now }, "reserved");
        if (subTask !== undefined) insertSubTaskCall(database, id, subTask);
        return { ok: true, id };
      }),
    settle: async (id, usage) => endCall(database, { id, state: "settled", reason: "" }, usage),
    release: async (id, reason, usage = { inputTokens: 0, outputTokens: 0, microdollars: 0 }) =>
      endCall(database, { id, state: "failed", reason }, usage),
    latest: async (session) => latestCalls(database, session),
    lostInARow: async (turn) => lostInARow(database, turn),
    modelsOf: async (turn) => modelsOf(database, turn),
    usage: async (by, since) => usageBy(database, by, since),
    totals: async (filter) => totalsOf(database, filter),
  };
}

/** Ends a reservation, and books what the call cost. */
function endCall(
  database: Database,
  {
    id,
    state,
    reason,
  }: { readonly id: string; readonly state: "settled" | "failed"; readonly reason: string },
  usage: CallCost,
): void {
  const { microdollars, inputTokens, outputTokens, statedMicrodollars } = usage;
  const { cacheReadTokens = 0, cacheWriteTokens = 0, thinkingTokens = 0 } = usage;
  const counts = [microdollars, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, thinkingTokens];
  database.transaction("deferred", () => {
    const ended = database.run(
      `UPDATE ledger SET state = ?, reason = ?, cost = ?, input = ?, output = ?, cache_read = ?, cache_write = ?, thinking = ?
       WHERE id = ? AND state = 'reserved'`,
      state,
      reason,
      ...counts.map(amount),
      id,
    );
    if (ended === 0) throw new PipelineError(`the ledger has no open reservation ${id}`, null);
    if (statedMicrodollars !== undefined)
      database.run("UPDATE ledger SET price_from = 'stated', price_day = NULL WHERE id = ?", id);
  });
}

function modelsOf(
  database: Database,
  { id, session }: { readonly id: string; readonly session: string },
): readonly string[] {
  return database
    .all(
      "SELECT DISTINCT provider || '/' || model AS name FROM ledger WHERE session = ? AND turn = ? AND state = 'settled' ORDER BY name",
      session,
      id,
    )
    .map((row) => text(row, "name"));
}

/** Books the calls that a crash interrupted at their reservations; returns how many. */
export function bookUnfinishedCalls(database: Database): number {
  if (database.get("SELECT 1 FROM ledger WHERE state = 'reserved' LIMIT 1") === undefined) return 0;
  return database.transaction("forced", () =>
    database.run(
      "UPDATE ledger SET state = 'unknown', reason = 'the process ended before the call did' WHERE state = 'reserved'",
    ),
  );
}

/** Books the calls that have an intent in the journal and lost their reservation in a crash, at what was reserved. */
export function bookLostCalls(database: Database, entries: readonly JournalEntry[]): void {
  for (const { kind, detail, turn, session, at } of entries) {
    const { event, reservation: id, microdollars: requested, provider, model } = detail;
    if (kind !== "intent" || event !== "model-call" || typeof id !== "string") continue;
    if (typeof requested !== "number" || typeof provider !== "string" || typeof model !== "string") continue;
    const subTask = subTaskOfTurn(database, turn ?? "");
    const booked =
      subTask === null ? { turn, session } : { turn: subTask.root, session: subTask.rootSession };
    const where = { id, turn: booked.turn ?? "", session: booked.session ?? "", provider, model };
    if (subTask !== null) insertSubTaskCall(database, id, subTask);
    insert(
      database,
      {
        ...where,
        ...noPurpose,
        price: { from: "unrecorded", day: null },
        requested: amount(requested),
        at,
      },
      "unknown",
    );
  }
}

/** Inserts a row with this state, unless the id is known. */
function insert(
  database: Database,
  row: CallPurpose & {
    readonly id: string;
    readonly turn: string;
    readonly session: string;
    readonly provider: string;
    readonly model: string;
    readonly price: PriceOrigin;
    readonly requested: number;
    readonly at: number;
  },
  state: "reserved" | "unknown",
): void {
  database.run(
    `INSERT OR IGNORE INTO ledger (id, turn, session, provider, model, state, reserved, cost, input, output, reason, at, price_from, price_day, job, skill, route)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)`,
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
    row.price.from,
    row.price.day,
    row.job,
    row.skill,
    row.route,
  );
}

function spent(database: Database, where: string, ...values: readonly (string | number)[]): number {
  const row = database.get(`SELECT coalesce(sum(cost), 0) AS cost FROM ledger WHERE ${where}`, ...values);
  return row === undefined ? 0 : integer(row, "cost");
}

/** The tightest cap, with what is left under it. */
function tightestOf(
  database: Database,
  limits: SpendingLimits,
  { session, turns, now }: { readonly session: string; readonly turns: string; readonly now: number },
) {
  const { perPlan, perSubTask = [] } = limits;
  const plan = () => spent(database, "session = ? AND at >= ?", session, perPlan?.since ?? 0);
  const ofDay = () => spent(database, "at >= ? AND at < ?", startOfDay(now), now + 86_400_000);
  const ofTurn = () => spent(database, `session = ? AND ${isOneOf}`, session, turns);
  const ofTasks = perSubTask.map(({ task, microdollars }) =>
    left(microdollars, () => spentBySubTask(database, task)),
  );
  const all = [
    { cap: "day", remaining: left(limits.perDay, ofDay) },
    { cap: "session", remaining: left(limits.perSession, () => spent(database, "session = ?", session)) },
    { cap: "turn", remaining: left(limits.perTurn, ofTurn) },
    { cap: "plan", remaining: left(perPlan?.microdollars ?? null, plan) },
    { cap: "sub-task", remaining: least(ofTasks) },
  ] as const;
  return all.reduce((least, one) => (one.remaining < least.remaining ? one : least));
}

/** Of a row: it is of one of the turns, whose ids are a JSON array. */
const isOneOf = "turn IN (SELECT value FROM json_each(?))";

/** The calls of turns and their sub-tasks. A call that failed without an answer and cost nothing does not count. */
function countCalls(database: Database, session: string, turns: string): number {
  const row = database.get(
    `SELECT count(*) AS calls FROM ledger WHERE session = ? AND ${isOneOf} AND (state <> 'failed' OR cost > 0)`,
    session,
    turns,
  );
  return row === undefined ? 0 : integer(row, "calls");
}

function left(cap: number | null, spentSoFar: () => number): number {
  return cap === null ? Number.POSITIVE_INFINITY : Math.max(0, cap - spentSoFar());
}

/** Rounds an amount up to a whole number; throws if it is negative or not a number. */
function amount(value: number): number {
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`${value} is not an amount`);
  return Math.ceil(value);
}

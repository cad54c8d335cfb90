import type { Signal } from "../../signal/signal.ts";
import { consensusRoute } from "../../signal/spending.ts";
import { placeOfSubTask, readSubTask, type SubTask, subTaskOf } from "../../signal/sub-task.ts";
import { isFinal } from "../../signal/turn.ts";
import type { Json } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** The sub-tasks that turns began. They stay where their texts are forgotten. */
export type SubTasks = {
  /** The sub-task whose turn this is; null for any other turn. */
  readonly of: (turn: string) => Promise<SubTask | null>;
  /** The turns of all sub-tasks of a turn, over all levels, in the order in which they began. */
  readonly turnsUnder: (root: string) => Promise<readonly string[]>;
  /** What the sub-task at a place and its parts spent on models, in millionths of a dollar. */
  readonly spentBy: (place: string) => Promise<number>;
  /** The sessions of sub-tasks of a session's turns whose own turns are not final. */
  readonly openSessionsUnder: (rootSession: string) => Promise<readonly string[]>;
};

/** The table of sub-tasks, and the sub-task of each model call that one made: the ledger books it on the turn at the beginning. */
export const subTaskTables = `
CREATE TABLE IF NOT EXISTS sub_tasks (
  number INTEGER PRIMARY KEY, turn TEXT NOT NULL UNIQUE, session TEXT NOT NULL, root TEXT NOT NULL, root_session TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sub_tasks_by_root ON sub_tasks (root, number);
CREATE INDEX IF NOT EXISTS sub_tasks_by_session ON sub_tasks (root_session, number);
CREATE TABLE IF NOT EXISTS sub_task_calls (call TEXT PRIMARY KEY, task TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sub_task_calls_by_task ON sub_task_calls (task);
`;

/** The sub-tasks of a database. */
export function openSubTasks(database: Database, rows: TurnRows): SubTasks {
  return {
    of: async (turn) => subTaskOfTurn(database, turn),
    turnsUnder: async (root) => turnsUnder(database, root),
    spentBy: async (place) => spentBySubTask(database, place),
    openSessionsUnder: async (rootSession) =>
      sessionsUnder(database, rootSession).filter((session) =>
        database
          .all(`SELECT ${turnColumns} FROM turns WHERE session = ? AND filed = 0`, session)
          .some((row) => !isFinal(rows.read(row).state)),
      ),
  };
}

/** The sub-task whose turn this is; null for any other turn. */
export function subTaskOfTurn(database: Database, turn: string): SubTask | null {
  const row = database.get("SELECT body FROM sub_tasks WHERE turn = ?", turn);
  return row === undefined ? null : readSubTask(json<Json>(row, "body"));
}

/** The turns of all sub-tasks of a turn, in the order in which they began. */
export function turnsUnder(database: Database, root: string): readonly string[] {
  return database
    .all("SELECT turn FROM sub_tasks WHERE root = ? ORDER BY number", root)
    .map((row) => text(row, "turn"));
}

/** The sessions of the sub-tasks of a session's turns. */
export function sessionsUnder(database: Database, rootSession: string): readonly string[] {
  return database
    .all("SELECT session FROM sub_tasks WHERE root_session = ? ORDER BY number", rootSession)
    .map((row) => text(row, "session"));
}

/** Keeps the sub-task that a signal begins, as a part of the caller's transaction. */
export function insertSubTask(database: Database, turn: string, signal: Signal): void {
  const task = subTaskOf(signal);
  if (task === null) return;
  database.run(
    "INSERT INTO sub_tasks (turn, session, root, root_session, body) VALUES (?, ?, ?, ?, ?)",
    turn,
    signal.session,
    task.root,
    task.rootSession,
    JSON.stringify(task),
  );
}

/** What the sub-task at a place and its parts spent. */
export function spentBySubTask(database: Database, place: string): number {
  return sumOfSubTask(database, place, "coalesce(sum(cost), 0)");
}

/** The answers that the sub-task at a place and its parts took. A call that failed for nothing is none, nor one that was only compared with another. */
export function answersOfSubTask(database: Database, place: string): number {
  const isAnswer = `(state <> 'failed' OR cost > 0) AND route IS NOT '${consensusRoute}'`;
  return sumOfSubTask(database, place, `count(*) FILTER (WHERE ${isAnswer})`);
}

function sumOfSubTask(database: Database, place: string, sum: string): number {
  const row = database.get(
    `SELECT ${sum} AS sum FROM ledger WHERE id IN (SELECT call FROM sub_task_calls WHERE task = ? OR task GLOB ?)`,
    place,
    `${place}/*`,
  );
  return row === undefined ? 0 : integer(row, "sum");
}

/** Books a model call on a sub-task, as a part of the caller's transaction. */
export function insertSubTaskCall(database: Database, call: string, task: SubTask): void {
  database.run("INSERT OR IGNORE INTO sub_task_calls (call, task) VALUES (?, ?)", call, placeOfSubTask(task));
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { readTurn, turnColumns } from "../../src/memory/state/turn-rows.ts";
import { integer, json, oneOf, text } from "../../src/memory/storage/rows.ts";
import type { Approval } from "../../src/signal/approval.ts";
import type { JournalEntry } from "../../src/signal/journal-entry.ts";
import type { Turn, TurnState } from "../../src/signal/turn.ts";
import { readJournalFile } from "../journal-entries.ts";

/** What a state folder holds, read from outside the program. */
export type Disk = {
  /** In the order in which they were accepted. */
  readonly turns: readonly Turn[];
  readonly answers: readonly Kept[];
  readonly approvals: readonly Approval[];
  /** Whole lines only; empty where only the database was asked for. */
  readonly journal: readonly JournalEntry[];
  /** Changes of the agent's own memory objects. */
  readonly memoryChanges: number;
};

/** An answer in the outbox. */
export type Kept = {
  readonly turn: string;
  readonly state: string;
  readonly text: string;
  readonly delivered: boolean;
};

/** Every state of a turn, the open ones first. */
export const turnStates: readonly TurnState[] = [
  "queued",
  "thinking",
  "judging",
  "suspended",
  "acting",
  "answered",
  "blocked",
  "failed",
  "stopped",
];

const nothing: Disk = { turns: [], answers: [], approvals: [], journal: [], memoryChanges: 0 };

/** Reads a state folder, or its database alone, without its lock and without the program's own opening; empty where nothing was set up yet. */
export function readDisk(folder: string, of: "all" | "database" = "all"): Disk {
  const file = join(folder, "state.db");
  if (!existsSync(file)) return nothing;
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  if (!isSetUp(database)) return nothing;
  return {
    turns: readTurns(database),
    answers: database
      .prepare("SELECT turn, state, text, delivered FROM outbox ORDER BY number")
      .all()
      .map((row) => ({
        turn: text(row, "turn"),
        state: text(row, "state"),
        text: text(row, "text"),
        delivered: integer(row, "delivered") === 1,
      })),
    approvals: database
      .prepare("SELECT body FROM approvals ORDER BY number")
      .all()
      .map((row) => json<Approval>(row, "body")),
    journal: of === "all" ? readJournalFile(join(folder, "journal.jsonl")) : [],
    memoryChanges: count(database, "SELECT count(*) AS count FROM object_changes WHERE realm = 'own'"),
  };
}

function readTurns(database: DatabaseSync): readonly Turn[] {
  const all = (sql: string, ...values: readonly SQLInputValue[]) => database.prepare(sql).all(...values);
  return all(`SELECT ${turnColumns} FROM turns ORDER BY number`).map((row) => readTurn({ all }, row));
}

/** How many turns there are, and the newest one's state. */
export type Newest = { readonly count: number; readonly state: TurnState };

/** A look at the newest turn, cheap enough to be taken every millisecond, beside the program that writes. */
export function openWatch(folder: string): Disposable & { readonly newest: () => Newest | null } {
  const database = new DatabaseSync(join(folder, "state.db"), { readOnly: true, timeout: 5000 });
  const counted = database.prepare(
    "SELECT state, (SELECT count(*) FROM turns) AS count FROM turns ORDER BY number DESC LIMIT 1",
  );
  return {
    newest() {
      const row = counted.get();
      return row === undefined
        ? null
        : { count: integer(row, "count"), state: oneOf(row, "state", turnStates) };
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function isSetUp(database: DatabaseSync): boolean {
  return count(database, "SELECT count(*) AS count FROM sqlite_schema WHERE name = 'turns'") > 0;
}

function count(database: DatabaseSync, sql: string): number {
  return integer(database.prepare(sql).get() ?? {}, "count");
}

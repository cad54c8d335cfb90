import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Row } from "./rows.ts";
import { explainFault, StateProblem } from "./state-problem.ts";

/** `forced` is on the disk when it returns; `unforced` outlives the process, and a power cut only together with all that came after it. */
export type Durability = "forced" | "unforced";

/** A database with its statements prepared once and its faults in words. */
export type Database = {
  readonly path: string;
  readonly all: (sql: string, ...values: readonly SQLInputValue[]) => readonly Row[];
  readonly get: (sql: string, ...values: readonly SQLInputValue[]) => Row | undefined;
  /** The number of rows changed. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number;
  /** Several statements without values. */
  readonly script: (sql: string) => void;
  /** All of the work or none of it; within another transaction it is a part of that one. */
  readonly transaction: <T>(durability: Durability, work: () => T) => T;
  /** Does the work as a part of the next transaction, or by itself within a moment; until then nobody reads it, and a crash loses it. What it changes must not depend on whether it still can be changed. */
  readonly defer: (work: () => void) => void;
  /** Does now what waits for the next transaction. */
  readonly flushDeferred: () => void;
  readonly close: () => void;
};

/** Opens a database file. Readers wait up to 5 s for a writer that is in the way; a reader never writes. */
export function openDatabase(path: string | URL, access: "write" | "read"): Database {
  const name = String(path);
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, name);
    }
  };
  const connection = guard(() => new DatabaseSync(path, { readOnly: access === "read", timeout: 5000 }));
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  let durability: Durability | null = null;
  const setDurability = (wanted: Durability): void => {
    if (wanted === durability) return;
    connection.exec(`PRAGMA synchronous = ${wanted === "forced" ? "FULL" : "NORMAL"}`);
    durability = wanted;
  };
  const late = { waiting: [] as (() => void)[], timer: null as NodeJS.Timeout | null };
  const transaction = <T>(wanted: Durability, work: () => T): T => {
    if (connection.isTransaction) return work();
    if (access === "read") {
      throw new StateProblem(
        "unwritable",
        `${name} was opened for reading only. Open it for writing to change it.`,
      );
    }
    return guard(() => {
      setDurability(wanted);
      prepared("BEGIN IMMEDIATE").run();
      try {
        const waiting = late.waiting.length;
        for (const act of late.waiting.slice(0, waiting)) act();
        const result = work();
        prepared("COMMIT").run();
        late.waiting.splice(0, waiting);
        return result;
      } finally {
        if (connection.isTransaction) connection.exec("ROLLBACK");
      }
    });
  };
  const catchUp = (): void => {
    if (late.timer !== null) clearTimeout(late.timer);
    late.timer = null;
    if (late.waiting.length > 0) transaction("unforced", () => undefined);
  };
  /** What fails here goes on waiting, and fails again before the eyes of whoever changes something next. */
  const catchUpInTime = (): void => {
    try {
      catchUp();
    } catch (error) {
      if (late.waiting.length === 0) throw error;
    }
  };
  return {
    path: name,
    all: (sql, ...values) => guard(() => prepared(sql).all(...values)),
    get: (sql, ...values) => guard(() => prepared(sql).get(...values)),
    run: (sql, ...values) => guard(() => Number(prepared(sql).run(...values).changes)),
    script: (sql) => guard(() => connection.exec(sql)),
    transaction,
    defer: (work) => {
      late.waiting.push(work);
      late.timer ??= setTimeout(catchUpInTime, longestDelay).unref();
    },
    flushDeferred: catchUp,
    close: () => {
      try {
        catchUp();
      } finally {
        statements.clear();
        connection.close();
      }
    },
  };
}

/** Milliseconds that something may wait for the next transaction. */
const longestDelay = 50;

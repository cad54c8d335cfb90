import { closeSync, existsSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import type { DiskReserve } from "./disk-reserve.ts";
import { syncPath } from "./private-file.ts";
import type { Row } from "./rows.ts";
import { explainFault, StateProblem } from "./state-problem.ts";

/**
 * What a transaction promises when it returns. `forced`: it is on the disk. `unforced`: it survives the death of the process, and a power cut loses it
 * only together with everything after it. `deferred`: it becomes a part of the next transaction, or is committed by itself within 50 ms; until then
 * every read of this connection sees it, and the death of the process loses it together with everything after it.
 */
export type Durability = "forced" | "unforced" | "deferred";

/** A database that prepares each statement once and explains its faults. */
export type Database = {
  readonly path: string;
  readonly all: (sql: string, ...values: readonly SQLInputValue[]) => readonly Row[];
  readonly get: (sql: string, ...values: readonly SQLInputValue[]) => Row | undefined;
  /** Returns the number of rows changed. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number;
  /** Runs several statements without values, after it committed what was deferred. */
  readonly script: (sql: string) => void;
  /**
   * Does all of the work or none of it. Within another transaction the work is a part of that one. Deferred work is done again if the
   * transaction that it became a part of fails, so it must not depend on anything but the database.
   */
  readonly transaction: <T>(durability: Durability, work: () => T) => T;
  /**
   * Commits the work at once, and resolves when it is on the disk, which keeps nobody else waiting. Commits
   * that wait together share a flush. For work that is a part of no other transaction.
   */
  readonly forced: <T>(work: () => T) => Promise<T>;
  /** Commits what was deferred. */
  readonly flushDeferred: () => void;
  readonly close: () => void;
};

/** Bytes that the write-ahead log keeps after it was written back. */
const longestLog = 4_194_304;

/** Where a database may find room on a full disk. */
type Room = Pick<DiskReserve, "release">;
const noRoom: Room = { release: () => false };

/** Opens a database file. A reader waits up to 5 s for a writer that is in the way, and never writes. A transaction that finds no room on the disk is done again with what `room` gives. */
export function openDatabase(path: string | URL, access: "write" | "read", room: Room = noRoom): Database {
  const name = String(path);
  try {
    const connection = new DatabaseSync(path, { readOnly: access === "read", timeout: 5000 });
    // SQLite cannot change this setting within a transaction, so a forced transaction flushes the log itself.
    if (access === "write") {
      connection.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${longestLog}`);
    }
    return new SqliteDatabase(name, connection, { access, room });
  } catch (error) {
    throw explainFault(error, name);
  }
}

/** Milliseconds that deferred work may wait for the next transaction. */
const longestDelay = 50;

class SqliteDatabase implements Database {
  readonly path: string;
  readonly #connection: DatabaseSync;
  readonly #access: "write" | "read";
  readonly #room: Room;
  readonly #statements = new Map<string, StatementSync>();
  /** Deferred work of the open transaction. */
  #done: (() => unknown)[] = [];
  /** Deferred work of a transaction that failed. */
  #undone: (() => unknown)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isWorking = false;
  /** The write-ahead log, open for flushing: on a slow disk each call for a file counts. */
  #log: number | null = null;
  /** The flush that runs, and the one that begins after it. */
  #flushing: Promise<void> | null = null;
  #nextFlush: Promise<void> | null = null;
  #broken: Error | null = null;

  constructor(
    path: string,
    connection: DatabaseSync,
    { access, room }: { readonly access: "write" | "read"; readonly room: Room },
  ) {
    this.path = path;
    this.#connection = connection;
    this.#access = access;
    this.#room = room;
  }

  readonly all = (sql: string, ...values: readonly SQLInputValue[]): readonly Row[] =>
    this.#guard(() => this.#prepared(sql).all(...values));

  readonly get = (sql: string, ...values: readonly SQLInputValue[]): Row | undefined =>
    this.#guard(() => this.#prepared(sql).get(...values));

  readonly run = (sql: string, ...values: readonly SQLInputValue[]): number =>
    this.#guard(() => Number(this.#prepared(sql).run(...values).changes));

  readonly script = (sql: string): void => {
    if (!this.#isWorking) this.flushDeferred();
    this.#guard(() => this.#connection.exec(sql));
  };

  readonly transaction = <T>(durability: Durability, work: () => T): T => {
    if (this.#isWorking) return work();
    if (this.#access === "read") {
      throw new StateProblem(
        "unwritable",
        `${this.path} was opened for reading only. Open it for writing to change it.`,
      );
    }
    if (this.#broken !== null) throw this.#broken;
    for (let tries = 0; ; tries += 1) {
      try {
        return this.#guard(() => this.#transact(durability, work));
      } catch (error) {
        const isFull = error instanceof StateProblem && error.code === "full-disk";
        if (!isFull || !this.#room.release(tries)) throw error;
      }
    }
  };

  readonly forced = async <T>(work: () => T): Promise<T> => {
    const result = this.transaction("unforced", work);
    await this.#flushed();
    return result;
  };

  readonly flushDeferred = (): void => {
    if (this.#isWorking || (this.#done.length === 0 && this.#undone.length === 0)) return;
    this.transaction("unforced", () => undefined);
  };

  readonly close = (): void => {
    try {
      this.flushDeferred();
    } finally {
      if (this.#timer !== null) clearTimeout(this.#timer);
      if (this.#flushing === null) this.#closeLog();
      this.#statements.clear();
      this.#connection.close();
    }
  };

  #transact<T>(durability: Durability, work: () => T): T {
    this.#begin();
    const result = this.#work(work);
    if (durability === "deferred") {
      this.#done.push(work);
      this.#timer ??= setTimeout(this.#flushInTime, longestDelay).unref();
      return result;
    }
    this.#commit();
    if (durability === "forced") this.#force();
    return result;
  }

  /** Begins a transaction unless one is open, with the deferred work of a transaction that failed. */
  #begin(): void {
    if (this.#connection.isTransaction) return;
    this.#prepared("BEGIN IMMEDIATE").run();
    try {
      for (const work of this.#undone) this.#work(work);
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    this.#done = this.#undone;
    this.#undone = [];
  }

  /** Does work that leaves nothing behind if it throws. */
  #work<T>(work: () => T): T {
    this.#prepared("SAVEPOINT work").run();
    this.#isWorking = true;
    try {
      const result = work();
      this.#prepared("RELEASE work").run();
      return result;
    } catch (error) {
      const isOpen = this.#connection.isTransaction;
      if (isOpen) this.#connection.exec("ROLLBACK TO work; RELEASE work");
      if (!isOpen || this.#done.length === 0) this.#rollBack();
      throw error;
    } finally {
      this.#isWorking = false;
    }
  }

  #commit(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      this.#prepared("COMMIT").run();
      this.#done = [];
    } finally {
      this.#rollBack();
    }
  }

  /** Rolls back the open transaction, if any; its deferred work will be done again. */
  #rollBack(): void {
    if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    this.#undone = [...this.#done, ...this.#undone];
    this.#done = [];
  }

  /** Flushes the write-ahead log to the disk. After a failed flush the contents of the disk are unknown, so nothing more is written. */
  #force(): void {
    const log = `${this.path}-wal`;
    if (this.path === ":memory:" || (this.#log === null && !existsSync(log))) return;
    try {
      const isNew = this.#log === null;
      this.#log ??= openSync(log, "r");
      fdatasyncSync(this.#log);
      if (isNew) syncPath(dirname(log));
    } catch (error) {
      throw this.#break(error);
    }
  }

  /** Resolves when what is committed by now is on the disk. */
  #flushed(): Promise<void> {
    this.#nextFlush ??= (this.#flushing ?? Promise.resolve()).then(() => {
      this.#nextFlush = null;
      this.#flushing = this.#flush();
      return this.#flushing;
    });
    return this.#nextFlush;
  }

  /**
   * As `#force`, beside the event loop once the log is open. A database that is closed meanwhile leaves its
   * log to this.
   */
  async #flush(): Promise<void> {
    await Promise.resolve();
    try {
      if (this.#log === null) this.#force();
      else await promisify(fdatasync)(this.#log);
    } catch (error) {
      throw this.#break(error);
    } finally {
      this.#flushing = null;
      if (!this.#connection.isOpen) this.#closeLog();
    }
  }
  #break(error: unknown): Error {
    this.#broken = explainFault(error, this.path);
    return this.#broken;
  }

  #closeLog(): void {
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }

  /** Commits deferred work whose time is over. Work that cannot be committed is done again with the next transaction, which then reports the fault to its caller. */
  readonly #flushInTime = (): void => {
    this.#timer = null;
    try {
      this.flushDeferred();
    } catch (error) {
      if (this.#undone.length === 0) throw error;
    }
  };

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, this.path);
    }
  }
}

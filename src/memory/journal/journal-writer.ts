import {
  close,
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncate,
  open,
  openSync,
  renameSync,
  write,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { JournalEntry, JournalRecord } from "../../signal/journal-entry.ts";
import type { Clock } from "../../text/clock.ts";
import { pushAll } from "../../text/lists.ts";
import type { Database } from "../storage/database.ts";
import type { DiskReserve } from "../storage/disk-reserve.ts";
import { explainFault, StateProblem } from "../storage/state-problem.ts";
import { rotatedFile } from "./journal-files.ts";
import { advanceHead, type JournalHead, type LocatedEntry, moveHead, openIntents } from "./journal-head.ts";
import { EntryPacker } from "./pack-entry.ts";

/** Adds entries at the end of the journal, in one process at a time. */
export type JournalWriter = {
  /** Adds an entry. A forced entry is on the disk when this resolves; entries that wait together share a flush. */
  readonly append: (record: JournalRecord, options: { readonly forced: boolean }) => Promise<JournalEntry>;
  /** Waits until what was appended is written; returns the end of the file in bytes. */
  readonly untilWritten: () => Promise<number>;
  /** Forces all entries to disk, and moves the head in the database over them. */
  readonly force: () => Promise<void>;
  /** Writes and forces all entries, and closes the file. */
  readonly close: () => Promise<void>;
};

type Waiting = LocatedEntry & {
  readonly line: Buffer;
  readonly forced: boolean;
  readonly done: PromiseWithResolvers<JournalEntry>;
};

/** What a writer needs. A file of `fileBytes` bytes is full: a new one is begun. */
export type WriterParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly gates: string;
  readonly fileBytes: number;
  readonly reserve: Pick<DiskReserve, "release">;
};

/** Opens the journal for appending after `end`, its last entry. */
export async function openJournalWriter(
  file: string,
  end: JournalHead,
  given: WriterParts,
): Promise<JournalWriter> {
  const handle = await openToAppend(file);
  return new Writer(file, handle, end, given);
}

/**
 * A file that is open for as long as the process: by its number, since Node takes a `FileHandle` that is
 * collected before it was closed for an error that ends the process.
 */
class OpenFile {
  fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  truncate(length: number): Promise<void> {
    return promisify(ftruncate)(this.fd, length);
  }

  datasync(): Promise<void> {
    return promisify(fdatasync)(this.fd);
  }

  /** Once: the number may be that of another file by then. */
  async close(): Promise<void> {
    const { fd } = this;
    this.fd = -1;
    if (fd >= 0) await promisify(close)(fd);
  }
}

async function openToAppend(path: string): Promise<OpenFile> {
  return new OpenFile(await promisify(open)(path, "a", 0o600));
}

async function openEmpty(path: string): Promise<OpenFile | null> {
  const handle = await openToAppend(path).catch(() => null);
  try {
    await handle?.truncate(0);
    return handle;
  } catch {
    await handle?.close();
    return null;
  }
}

function flushFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

class Writer implements JournalWriter {
  readonly #file: string;
  #handle: OpenFile;
  readonly #limit: number;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #gates: string;
  readonly #reserve: Pick<DiskReserve, "release">;
  /** The last entry that is in the file. */
  #written: JournalHead;
  /** The last entry that was sealed. It is ahead of the file by the entries that wait. */
  #sealed: JournalHead;
  /** Entries in the file that the head in the database does not cover yet. */
  #unheaded: LocatedEntry[] = [];
  #waiting: Waiting[] = [];
  readonly #packer = new EntryPacker();
  #flushing: Promise<void> | null = null;
  #broken: Error | null = null;

  constructor(file: string, handle: OpenFile, end: JournalHead, given: WriterParts) {
    this.#file = file;
    this.#handle = handle;
    this.#database = given.database;
    this.#clock = given.clock;
    this.#gates = given.gates;
    this.#reserve = given.reserve;
    this.#limit = given.fileBytes;
    this.#written = end;
    this.#sealed = end;
  }

  readonly append = async (
    record: JournalRecord,
    { forced }: { readonly forced: boolean },
  ): Promise<JournalEntry> => {
    if (this.#broken !== null) throw this.#broken;
    const { sequence, hash: previous } = this.#sealed;
    const link = { sequence: sequence + 1, at: this.#clock(), gates: this.#gates, previous };
    const { entry, line } = this.#packer.seal(record, link, this.#sealed.end);
    const bytes = Buffer.from(line);
    const span = { start: this.#sealed.end, end: this.#sealed.end + bytes.byteLength };
    this.#sealed = { sequence: entry.sequence, hash: entry.hash, ...span };
    const done = Promise.withResolvers<JournalEntry>();
    this.#waiting.push({ entry, span, line: bytes, forced, done });
    this.#flushing ??= this.#flush();
    return done.promise;
  };

  readonly untilWritten = async (): Promise<number> => {
    await this.#flushing;
    return this.#written.end;
  };

  readonly force = async (): Promise<void> => {
    await this.#flushing;
    if (this.#broken === null && this.#unheaded.length > 0) await this.#sync();
    this.#database.flushDeferred();
  };

  readonly close = async (): Promise<void> => {
    try {
      await this.force();
      this.#broken ??= new Error(`the journal ${this.#file} is closed`);
    } finally {
      await this.#handle.close();
    }
  };

  /** Writes batch after batch until nothing waits. Never rejects: the promise of each entry does. */
  async #flush(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writeBatch(batch);
        for (const { done, entry } of batch) done.resolve(entry);
      } catch (error) {
        const problem = explainFault(error, this.#file);
        for (const { done } of batch) done.reject(problem);
      }
    }
    this.#flushing = null;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const last = batch.at(-1);
    if (last === undefined) return;
    if (this.#broken !== null) throw this.#broken;
    try {
      const bytes = Buffer.concat(batch.map(({ line }) => line));
      for (let at = 0; at < bytes.length; ) at += await this.#writeSome(bytes, at);
    } catch (error) {
      await this.#takeBack(explainFault(error, this.#file));
      throw error;
    }
    this.#written = { sequence: last.entry.sequence, hash: last.entry.hash, ...last.span };
    pushAll(
      this.#unheaded,
      batch.map(({ entry, span }) => ({ entry, span })),
    );
    if (!batch.some(({ forced }) => forced)) return;
    await this.#sync();
    if (this.#written.end >= this.#limit) await this.#rotate();
  }

  /** Writes bytes from `at` on; returns how many were written: none where room had to be made for them. */
  async #writeSome(bytes: Buffer, at: number): Promise<number> {
    try {
      const { bytesWritten } = await promisify(write)(this.#handle.fd, bytes, at);
      return bytesWritten;
    } catch (error) {
      const problem = explainFault(error, this.#file);
      const isFull = problem instanceof StateProblem && problem.code === "full-disk";
      if (isFull && this.#reserve.release(0)) return 0;
      throw problem;
    }
  }

  /**
   * Gives the file its own name and begins a new one, which continues the chain. Not while an intent is open, whose line is looked up in the file. Where the
   * new file cannot be made, the journal goes on in this one, and the next flush tries again.
   */
  async #rotate(): Promise<void> {
    const isBusy = (): boolean => this.#waiting.length > 0 || openIntents(this.#database).length > 0;
    if (isBusy()) return;
    const next = await openEmpty(`${this.#file}.next`);
    if (next === null) return;
    if (isBusy()) return next.close();
    const before = this.#handle;
    try {
      renameSync(this.#file, rotatedFile(this.#file, this.#written.sequence));
      renameSync(`${this.#file}.next`, this.#file);
      flushFolder(dirname(this.#file));
      this.#handle = next;
      this.#written = { ...this.#written, start: 0, end: 0 };
      this.#sealed = this.#written;
      this.#packer.forget();
      await this.#database.forced(() => moveHead(this.#database, this.#written));
    } catch (error) {
      // What was appended is written. Nothing more is, until the journal is opened and checked again.
      this.#broken = explainFault(error, this.#file);
    }
    await before.close();
  }

  /** Undoes a failed write: the file ends where it ended before, and entries that were sealed after it are refused too. */
  async #takeBack(problem: Error): Promise<void> {
    for (const { done } of this.#waiting.splice(0)) done.reject(problem);
    this.#sealed = this.#written;
    this.#packer.forget();
    try {
      await this.#handle.truncate(this.#written.end);
    } catch (error) {
      this.#broken = explainFault(error, this.#file);
    }
  }

  /** Flushes the file. After a failed flush the contents of the disk are unknown, so nothing more is written until the journal is opened and checked again. */
  async #sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#broken = explainFault(error, this.#file);
      throw this.#broken;
    }
    const placed = this.#unheaded;
    this.#unheaded = [];
    this.#database.transaction("deferred", () => advanceHead(this.#database, placed));
  }
}

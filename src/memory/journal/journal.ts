import { statSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry, JournalRecord } from "../../signal/journal-entry.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import type { DiskReserve } from "../storage/disk-reserve.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { journalDamage } from "./journal-damage.ts";
import { rotatedFiles } from "./journal-files.ts";
import { emptyHead, openIntents, readHead } from "./journal-head.ts";
import {
  type CheckProgress,
  checkJournal,
  entriesAt,
  type JournalCheck,
  lastEntries,
  readJournal,
} from "./journal-reading.ts";
import { type BookLostCalls, type JournalRecovery, recoverJournal } from "./journal-recovery.ts";
import { openJournalWriter } from "./journal-writer.ts";

/** What was intended, judged, done and decided, in a hash chain that only grows. */
export type Journal = {
  /** Adds an entry. A forced entry is on the disk when this resolves. Throws if the entry could not be written; it is then not in the chain. */
  readonly append: (record: JournalRecord, options: { readonly forced: boolean }) => Promise<JournalEntry>;
  /** The last entries, oldest first. */
  readonly tail: (count: number) => Promise<readonly JournalEntry[]>;
  /** All entries from the first. Throws `damaged-journal` at a line that does not verify. */
  readonly entries: () => AsyncIterable<JournalEntry>;
  /** Checks every line, the chain and the head in the database. */
  readonly verify: (onProgress?: CheckProgress) => Promise<JournalCheck>;
  /** The intents without an outcome, oldest first: after a crash, everything that may or may not have happened. */
  readonly findIntentWithoutOutcome: () => Promise<readonly JournalEntry[]>;
  /** Bytes of all its files. */
  readonly size: () => Promise<number>;
};

/** An open journal, with sentences on what its opening repaired. */
export type OpenJournal = {
  readonly journal: Journal;
  /** The entries that the database did not know. */
  readonly caughtUp: readonly JournalEntry[];
  readonly reports: readonly string[];
  readonly close: () => Promise<void>;
};

/** The journal's file in a state folder. */
export function journalFile(folder: string): string {
  return join(folder, "journal.jsonl");
}

/** Opens the journal of a state folder, after it compared the file with the head in the database. */
export async function openJournal(given: {
  readonly folder: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly gates: string;
  readonly access: "write" | "read";
  readonly bookLost: BookLostCalls;
  readonly fileBytes: number;
  readonly reserve: Pick<DiskReserve, "release">;
}): Promise<OpenJournal> {
  const { database, access } = given;
  const file = journalFile(given.folder);
  const { end, caughtUp, reports } = await recoverOrNameDamage(file, given);
  const writer = access === "write" ? await openJournalWriter(file, end, given) : null;
  const written = async (): Promise<number> => (writer === null ? end.end : writer.untilWritten());
  const journal: Journal = {
    append: async (record, options) => {
      if (writer !== null) return writer.append(record, options);
      throw new StateProblem(
        "unwritable",
        `${file} was opened for reading only. Open the state for writing to add to it.`,
      );
    },
    tail: async (count) => lastEntries(file, await written(), count),
    entries: () => readJournal(file),
    verify: async (onProgress) => {
      await written();
      return checkJournal(file, readHead(database) ?? emptyHead, onProgress);
    },
    findIntentWithoutOutcome: async () => {
      await writer?.force();
      return entriesAt(file, openIntents(database));
    },
    size: async () => {
      await written();
      return [...rotatedFiles(file), file].reduce((sum, path) => sum + sizeOf(path), 0);
    },
  };
  return { journal, caughtUp, reports, close: async () => writer?.close() };
}

/** Damage shows at the end of the file; the check from the beginning names the line. */
async function recoverOrNameDamage(
  file: string,
  given: { readonly database: Database; readonly access: "write" | "read"; readonly bookLost: BookLostCalls },
): Promise<JournalRecovery> {
  try {
    return recoverJournal(file, given.database, given.access, given.bookLost);
  } catch (error) {
    if (!(error instanceof StateProblem && error.code === "damaged-journal")) throw error;
    const check = await checkJournal(file, readHead(given.database) ?? emptyHead);
    throw check.ok || check.problem.line === null ? error : journalDamage(file, check.problem);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

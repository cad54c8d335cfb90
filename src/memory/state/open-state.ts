import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { isFinal } from "../../signal/turn.ts";
import type { Clock } from "../../text/clock.ts";
import { countOf } from "../../text/count-of.ts";
import { journalFile, openJournal } from "../journal/journal.ts";
import { rotatedFiles } from "../journal/journal-files.ts";
import { PrivateTexts } from "../private-text/private-texts.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { type DiskReserve, openDiskReserve } from "../storage/disk-reserve.ts";
import { createPrivateFile, makePrivateFolder } from "../storage/private-file.ts";
import { acquireProcessLock, type ProcessLock } from "../storage/process-lock.ts";
import { explainFault, StateProblem } from "../storage/state-problem.ts";
import { openApprovals } from "./approvals.ts";
import { openAttachments } from "./attachments.ts";
import { openChanges } from "./changes.ts";
import { openInputs } from "./chat-store.ts";
import { openChosenModels } from "./chosen-models.ts";
import { compactSessions } from "./compaction.ts";
import { openCountedCalls } from "./counted-calls.ts";
import { openDeferredEdits } from "./deferred-edits.ts";
import { endRestored } from "./end-restored.ts";
import { SessionFiling } from "./file-turns.ts";
import { openFlightPlans } from "./flight-plans.ts";
import { openJobShadows } from "./job-shadows.ts";
import { openJobs } from "./jobs.ts";
import { openKeptLines } from "./kept-items.ts";
import { openKeptLists } from "./kept-list.ts";
import { openKeptValues } from "./kept-value.ts";
import { bookLostCalls, bookUnfinishedCalls, openLedger } from "./ledger.ts";
import { integrityProblems } from "./migrate.ts";
import { openMemoryObjects } from "./objects.ts";
import { openForgetting } from "./open-forgetting.ts";
import { openTextOrigins } from "./origins.ts";
import { openOutbox } from "./outbox.ts";
import { openProposals } from "./proposals.ts";
import { openResults } from "./results.ts";
import { defaultQuotas, prune, type Quotas } from "./retention.ts";
import { openRewindings } from "./rewindings.ts";
import { openSealing } from "./sealing.ts";
import { openSentPrefixes } from "./sent-prefixes.ts";
import { SessionMemoryStore } from "./session-memory.ts";
import { openSessions } from "./sessions.ts";
import { openSkillTroubles } from "./skill-troubles.ts";
import type { State } from "./state.ts";
import { acceptSignal, commitStep } from "./steps.ts";
import { openSubTasks } from "./sub-tasks.ts";
import { openTrustedFolders } from "./trusted-folders.ts";
import { TurnRows } from "./turn-rows.ts";
import { openTurns } from "./turns.ts";
import { checkDatabase, prepareDatabase, refuseOlder } from "./versions.ts";

/** The options of a state. `gates` is the hash of the set of gates and rules, which the journal records. */
export type StateOptions = {
  readonly folder: string;
  readonly clock: Clock;
  readonly gates: string;
  /** `write` locks the folder for this process. `read` takes no lock and changes nothing. */
  readonly access: "write" | "read";
  readonly quotas?: Partial<Quotas> | undefined;
  /** A file of the journal of this size is full: a new one is begun. */
  readonly journalFileBytes?: number;
};

/** Some ten thousand turns. */
const journalFileBytes = 16_000_000;

/** The options, with the reserve of the folder's disk. */
type OpenOptions = StateOptions & { readonly reserve: DiskReserve };

/** Opens a state folder, or throws a `StateProblem` that says what is wrong with it and what to do. */
export async function openState(options: StateOptions): Promise<State> {
  await using parts = new AsyncDisposableStack();
  const reserve = openDiskReserve(join(options.folder, "reserve"));
  const { database, reports, isLocked } = await openLockedDatabase({ ...options, reserve }, parts);
  const journal = await openJournal({
    ...options,
    database,
    reserve,
    bookLost: bookLostCalls,
    fileBytes: options.journalFileBytes ?? journalFileBytes,
  });
  if (options.access === "write") parts.defer(() => markClosed(database));
  parts.defer(() => journal.close());
  const filing = openFiling(database, options.clock);
  if (options.access === "write") parts.defer(() => filing.fileAll());
  const state = assemble(database, filing, { ...options, reserve });
  const kept = parts.move();
  const { clock } = options;
  return {
    ...state,
    endRestored: () => endRestored({ database, state: { ...state, journal: journal.journal }, clock }),
    reports: [...reports, ...journal.reports, ...reportOlderDatabase(database, journal.caughtUp)],
    journal: journal.journal,
    isLocked,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Locks the folder for a writer, and opens and settles its database. `parts` closes and releases them. */
export async function openLockedDatabase(
  options: OpenOptions,
  parts: AsyncDisposableStack,
): Promise<{
  readonly database: Database;
  readonly reports: readonly string[];
  readonly isLocked: () => boolean;
}> {
  const lock = await prepareFolder(options);
  if (lock !== null) parts.defer(() => lock.release());
  const database = openFile(options);
  parts.defer(() => database.close());
  const isLocked = (): boolean => lock === null || lock.isHeld();
  return { database, reports: settleDatabase(database, options), isLocked };
}

function assemble(
  database: Database,
  filing: SessionFiling,
  { access, clock, folder, quotas: wanted, reserve }: OpenOptions,
): Omit<State, "isLocked" | "reports" | "journal" | "endRestored" | typeof Symbol.asyncDispose> {
  const quotas = { ...defaultQuotas, ...wanted };
  const sealing = openSealing(folder, access);
  const rows = filing.turns;
  const objects = openMemoryObjects(database, clock);
  return {
    diskReserve: reserve,
    accept: async (signal, depthLimit, attached) => {
      await reserve.requireRoom();
      return acceptSignal({ database, rows, clock }, signal, depthLimit, attached);
    },
    attachments: openAttachments({ database, sealing }, { clock, total: quotas.blobBytes }),
    commit: async (step) => {
      await commitStep({ database, rows, clock }, step);
      if (isFinal(step.turn.state)) filing.fileWhenMany();
    },
    turns: openTurns(database, rows),
    subTasks: openSubTasks(database, rows),
    countedCalls: openCountedCalls(database),
    outbox: openOutbox(database),
    sessions: openSessions(database, clock),
    approvals: openApprovals(database, clock),
    flightPlans: openFlightPlans(database, clock),
    ledger: openLedger(database, clock),
    results: openResults(database, rows, clock),
    changes: openChanges(database, {
      clock,
      budget: { total: quotas.blobBytes, session: quotas.sessionBlobBytes },
      sealing,
    }),
    objects,
    rewindings: openRewindings(database, filing, clock),
    sessionMemory: filing.memory(access),
    origins: openTextOrigins(database, clock),
    trustedFolders: openTrustedFolders(database, clock),
    ...openKeptValues(database),
    skillTroubles: openSkillTroubles(database),
    ...openKeptLists(database),
    sentPrefixes: openSentPrefixes(database),
    chosenModels: openChosenModels(database),
    ...openKeptLines(database),
    privateTexts: new PrivateTexts(database, sealing),
    deferredEdits: openDeferredEdits(database),
    jobs: openJobs(database, clock),
    jobShadows: openJobShadows(database),
    proposals: openProposals(database, clock),
    ...openInputs(database, clock),
    compact: async () => {
      filing.fileAll();
      return compactSessions(database, clock());
    },
    ...openForgetting({ database, sealing, filing, clock }),
    prune: async () => prune({ database, sealing }, rows, quotas, clock()),
    verify: async () => [...integrityProblems(database), ...(await objects.verify())],
  };
}

/** The journal is newer than the database by more than a crash leaves, where it tells of turns that the database does not know: it accepts a turn before anything is journalled about it. */
function reportOlderDatabase(database: Database, caughtUp: readonly JournalEntry[]): readonly string[] {
  const turns = new Set(
    caughtUp.flatMap(({ kind, turn }) => (kind === "intent" && turn !== null ? [turn] : [])),
  );
  const lost = [...turns].filter(
    (turn) => database.get("SELECT 1 AS found FROM turns WHERE id = ?", turn) === undefined,
  );
  const [first] = caughtUp;
  if (lost.length === 0 || first === undefined) return [];
  return [
    `state.db is older than the journal: the journal tells of ${countOf(lost.length, "turn")} since ${new Date(first.at).toISOString()} that the database does not know. It was probably restored alone. Restore both from the same backup, or go on without these turns.`,
  ];
}

function openFiling(database: Database, clock: () => number): SessionFiling {
  return new SessionFiling(database, new TurnRows(database), new SessionMemoryStore(database, clock));
}

/** Locks the folder for a writer; gives null to a reader. */
async function prepareFolder({ folder, access, reserve }: OpenOptions): Promise<ProcessLock | null> {
  if (access === "write") {
    makePrivateFolder(folder);
    await reserve.makeRoom(0);
    return acquireProcessLock(folder);
  }
  if (!isThere(databaseFile(folder))) {
    throw new StateProblem(
      "missing",
      `There is no state in ${folder} yet. Start a conversation first, or name another state folder.`,
    );
  }
  return null;
}

function openFile({ folder, access, reserve }: OpenOptions): Database {
  const file = databaseFile(folder);
  if (access === "read") return openDatabase(canWrite(folder) ? file : frozen(file), "read");
  refuseLostDatabase(folder);
  createPrivateFile(file);
  return openDatabase(file, "write", reserve);
}

/** Throws a `StateProblem` where the database of a folder is missing beside a journal or a write-ahead log: a new database would ignore what they hold. */
export function refuseLostDatabase(folder: string): void {
  const file = databaseFile(folder);
  if (sizeOf(file) > 0) return;
  const journal = journalFile(folder);
  const left = [...rotatedFiles(journal), journal, `${file}-wal`].filter((path) => sizeOf(path) > 0);
  if (left.length === 0) return;
  throw new StateProblem(
    "damaged-database",
    `The database ${file} is missing or empty, but ${left.join(" and ")} is there. Nothing was changed. Restore state.db from a backup, or move ${folder} aside to start with an empty state.`,
  );
}

/** Whether there is a file. Throws a `StateProblem` where that cannot be seen. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainFault(error, path);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Prepares the database, checks it and books unfinished calls. For a reader it only checks. */
function settleDatabase(database: Database, { folder, access }: StateOptions): readonly string[] {
  const file = databaseFile(folder);
  if (access === "read") {
    checkDatabase(database, file);
    refuseOlder(database, file);
    return [];
  }
  const reports = prepareDatabase(database, file);
  database.transaction("forced", () => database.run("UPDATE meta SET value = '0' WHERE key = 'closed'"));
  const unknown = bookUnfinishedCalls(database);
  if (unknown === 0) return reports;
  return [
    ...reports,
    unknown === 1
      ? "1 model call was interrupted when the process ended. It is booked at its reservation."
      : `${unknown} model calls were interrupted when the process ended. Each is booked at its reservation.`,
  ];
}

/** Marks that the writer ended as it should. */
export function markClosed(database: Database): void {
  database.transaction("forced", () => database.run("UPDATE meta SET value = '1' WHERE key = 'closed'"));
}

/** The database of a state folder. */
export const databaseFile = (folder: string): string => join(folder, "state.db");

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** The address of a database in a folder that cannot be written: SQLite then needs no files beside it. */
function frozen(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

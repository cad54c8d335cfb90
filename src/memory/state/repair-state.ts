import { join } from "node:path";
import { journalFile } from "../journal/journal.ts";
import { type JournalRepair, repairJournal } from "../journal/repair-journal.ts";
import { openDiskReserve } from "../storage/disk-reserve.ts";
import { openLockedDatabase, type StateOptions } from "./open-state.ts";

/** Repairs the journal of a state folder; see `repairJournal`. Throws a `StateProblem` where another process holds the folder, or the database is damaged. */
export async function repairState(options: Omit<StateOptions, "access">): Promise<JournalRepair> {
  await using parts = new AsyncDisposableStack();
  const reserve = openDiskReserve(join(options.folder, "reserve"));
  const { database } = await openLockedDatabase({ ...options, access: "write", reserve }, parts);
  return await repairJournal(journalFile(options.folder), { ...options, database, reserve });
}

import { join } from "node:path";
import type { Clock } from "../../text/clock.ts";
import { openDatabase } from "../storage/database.ts";
import { openDiskReserve } from "../storage/disk-reserve.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { openKeptValues } from "./kept-value.ts";
import { openLedger } from "./ledger.ts";
import { databaseFile, markClosed, openLockedDatabase, type StateOptions } from "./open-state.ts";
import type { State } from "./state.ts";
import { checkDatabase, refuseOlder } from "./versions.ts";

/** What a process needs that asks a model beside all agents. */
export type Spending = Pick<State, "ledger" | "raisedBudget"> & AsyncDisposable;

/**
 * Opens the ledger of a state folder for a process that does nothing else with it: as the only writer, or beside the agent that has the folder, which then has
 * prepared its database.
 */
export async function openSpending(folder: string, clock: Clock): Promise<Spending> {
  await using parts = new AsyncDisposableStack();
  const database = await openBooks({ folder, clock, gates: "", access: "write" }, parts);
  const kept = parts.move();
  return {
    ledger: openLedger(database, clock),
    raisedBudget: openKeptValues(database).raisedBudget,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function openBooks(options: StateOptions, parts: AsyncDisposableStack) {
  const reserve = openDiskReserve(join(options.folder, "reserve"));
  try {
    const { database } = await openLockedDatabase({ ...options, reserve }, parts);
    parts.defer(() => markClosed(database));
    return database;
  } catch (error) {
    if (!(error instanceof StateProblem) || error.code !== "locked") throw error;
  }
  const file = databaseFile(options.folder);
  const database = openDatabase(file, "write", reserve);
  parts.defer(() => database.close());
  checkDatabase(database, file);
  refuseOlder(database, file);
  return database;
}

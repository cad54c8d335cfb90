import type { JournalEntry } from "../../signal/journal-entry.ts";
import type { Database } from "../storage/database.ts";
import { integer, json } from "../storage/rows.ts";
import { genesisHash } from "./journal-chain.ts";

/** The bytes of an entry's line in the journal, the newline included. */
export type ByteRange = { readonly start: number; readonly end: number };

/** The newest entry that is forced to disk, as the database knows it. */
export type JournalHead = ByteRange & { readonly sequence: number; readonly hash: string };

/** The head of an empty journal. */
export const emptyHead: JournalHead = { sequence: 0, hash: genesisHash, start: 0, end: 0 };

/** An entry with the place of its line. */
export type LocatedEntry = { readonly entry: JournalEntry; readonly span: ByteRange };

/** The head in the database; null if there is none. */
export function readHead(database: Database): JournalHead | null {
  const row = database.get("SELECT value FROM meta WHERE key = 'journal-head'");
  return row === undefined ? null : json<JournalHead>(row, "value");
}

/**
 * Moves the head over entries that are forced to disk, and keeps the list of intents without an outcome in step with it.
 * Unforced: a head that lags behind is caught up when the journal is opened.
 */
export function advanceHead(database: Database, placed: readonly LocatedEntry[]): void {
  const last = placed.at(-1);
  if (last === undefined) return;
  database.transaction("unforced", () => {
    for (const { entry, span } of placed) followIntent(database, entry, span);
    moveHead(database, { sequence: last.entry.sequence, hash: last.entry.hash, ...last.span });
  });
}

/** Sets the head. After a rotation or a repair it has no place in the file: its `start` and `end` are 0. */
export function moveHead(database: Database, head: JournalHead): void {
  database.run("UPDATE meta SET value = ? WHERE key = 'journal-head'", JSON.stringify(head));
}

/** Forgets the open intents: the file that holds them was set aside. Returns their number. */
export function dropIntents(database: Database): number {
  const count = openIntents(database).length;
  database.run("DELETE FROM intents");
  return count;
}

/** The lines of the intents without an outcome, oldest first. */
export function openIntents(database: Database): readonly ByteRange[] {
  return database
    .all("SELECT start, end FROM intents ORDER BY sequence")
    .map((row) => ({ start: integer(row, "start"), end: integer(row, "end") }));
}

/** An outcome ends the newest open intent of its turn and digest. */
function followIntent(database: Database, entry: JournalEntry, span: ByteRange): void {
  if (entry.kind === "intent") {
    database.run(
      "INSERT OR REPLACE INTO intents (sequence, turn, digest, start, end) VALUES (?, ?, ?, ?, ?)",
      entry.sequence,
      entry.turn,
      entry.digest,
      span.start,
      span.end,
    );
  } else if (entry.kind === "outcome") {
    database.run(
      `DELETE FROM intents WHERE sequence =
         (SELECT max(sequence) FROM intents WHERE turn IS ? AND digest IS ?)`,
      entry.turn,
      entry.digest,
    );
  }
}

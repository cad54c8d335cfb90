import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, text } from "../storage/rows.ts";

/** A rewinding whose words are still taken back. */
export type Rewinding = {
  readonly number: number;
  /** The id of the undo that took changes back with the words, where there is one. */
  readonly id: string;
  /** The number of the last change of anything when it was made. */
  readonly change: number;
  /** Whether nothing was said in its session since. */
  readonly isLast: boolean;
};

/** Turns of a session whose words are taken back. */
type TurnsToTake = {
  readonly id: string;
  readonly session: string;
  readonly turns: readonly string[];
};

/** What the owner took back of what was said in sessions. The turns stay, and no later turn, history or search sees them. */
export type Rewindings = {
  /** The turns that stand from this one on, oldest first; empty where it does not stand in the session. */
  readonly turnsFrom: (session: string, turn: string) => Promise<readonly string[]>;
  /**
   * Takes these turns back, which are the last that stand in the session, unless the rewinding of that id
   * did it already.
   */
  readonly take: (rewinding: TurnsToTake) => Promise<void>;
  /** The rewinding of a session that was made last, of those that stand. */
  readonly latest: (session: string) => Promise<Rewinding | null>;
  /** Brings the words of a rewinding back. */
  readonly giveBack: (number: number) => Promise<void>;
};

/**
 * A rewinding takes back all turns of its session from the number `first` to `last`, as long as it stands
 * (1). Older versions noted one as begun (2), which takes nothing back.
 */
export const rewindingsTable = `
CREATE TABLE IF NOT EXISTS rewindings (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL, session TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, change INTEGER NOT NULL,
  at INTEGER NOT NULL, stands INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS rewindings_by_session ON rewindings (session) WHERE stands = 1;
`;

/** Of a row of `turns`: its words are not taken back. */
export const isSaid = `NOT EXISTS (SELECT 1 FROM rewindings WHERE rewindings.session = turns.session AND stands = 1
  AND turns.number BETWEEN first AND last)`;

/** Session memory, from which words that are taken back go away. */
type Filing = { readonly fileAll: () => void; readonly remove: (turn: string) => void };

/** The rewindings of a database. */
export function openRewindings(database: Database, filing: Filing, clock: Clock): Rewindings {
  return {
    turnsFrom: async (session, turn) =>
      database
        .all(
          `SELECT id FROM turns WHERE session = ?1 AND ${isSaid}
             AND number >= (SELECT number FROM turns WHERE id = ?2 AND session = ?1 AND ${isSaid}) ORDER BY number`,
          session,
          turn,
        )
        .map((row) => text(row, "id")),
    take: async (rewinding) => {
      const { id, turns } = rewinding;
      filing.fileAll();
      await database.forced(() => {
        if (database.get("SELECT 1 FROM rewindings WHERE id = ?", id) !== undefined) return;
        for (const turn of turns) {
          // What is in session memory is added again when the words come back.
          database.run("UPDATE turns SET filed = 0 WHERE id = ? AND id IN (SELECT turn FROM said)", turn);
          filing.remove(turn);
        }
        insert(database, rewinding, clock());
      });
    },
    latest: async (session) => {
      const row = database.get(
        `SELECT number, id, change,
           (SELECT count(*) FROM turns WHERE turns.session = ?1 AND turns.number > latest.last AND ${isSaid}) AS later
         FROM rewindings AS latest WHERE session = ?1 AND stands = 1 ORDER BY number DESC LIMIT 1`,
        session,
      );
      if (row === undefined) return null;
      const isLast = integer(row, "later") === 0;
      return { number: integer(row, "number"), id: text(row, "id"), change: integer(row, "change"), isLast };
    },
    giveBack: async (number) => {
      await database.forced(() => {
        database.run("UPDATE rewindings SET stands = 0 WHERE number = ?", number);
      });
    },
  };
}

function insert(database: Database, { id, session, turns }: TurnsToTake, at: number): void {
  database.run(
    `INSERT INTO rewindings (id, session, first, last, change, at, stands)
     SELECT ?1, ?2, min(number), max(number), (SELECT coalesce(max(number), 0) FROM changes), ?3, 1
     FROM turns WHERE id IN (SELECT value FROM json_each(?4))`,
    id,
    session,
    at,
    JSON.stringify(turns),
  );
}

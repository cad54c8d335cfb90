import { type FinalState, joinedCode } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { integer, oneOf, type Row, text } from "../storage/rows.ts";

/** The answer of a turn to its session. It waits until a client has it. */
export type OutboxAnswer = {
  readonly id: string;
  readonly session: string;
  readonly turn: string;
  readonly state: FinalState;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly delivered: boolean;
};

/** Answers on their way to a person. */
export type Outbox = {
  /** The answers that no client has yet, oldest first. */
  readonly undelivered: (session: string) => Promise<readonly OutboxAnswer[]>;
  /**
   * The turns whose end no client has, by their ids in the order of their ends, with those whose words
   * joined them: a joined turn has no answer.
   */
  readonly unseenEnds: (session: string) => Promise<readonly string[]>;
  /** Marks the answer of a turn as delivered. It is quick, however many wait, where answers are delivered in their order. */
  readonly markTurnDelivered: (session: string, turn: string) => Promise<void>;
};

/** The outbox of a database. */
export function openOutbox(database: Database): Outbox {
  return {
    undelivered: async (session) =>
      database
        .all("SELECT * FROM outbox WHERE session = ? AND delivered = 0 ORDER BY number", session)
        .map(answerOf),
    unseenEnds: async (session) =>
      database
        .all(
          `WITH unseen AS (SELECT id, number FROM turns WHERE id IN (SELECT turn FROM outbox WHERE session = ?1 AND delivered = 0))
           SELECT id FROM turns WHERE session = ?1 AND (id IN (SELECT id FROM unseen)
             OR (number > (SELECT min(number) FROM unseen) AND body ->> '$.code' = ?2))
           ORDER BY updated, number`,
          session,
          joinedCode,
        )
        .map((row) => text(row, "id")),
    markTurnDelivered: async (session, turn) => {
      database.transaction("unforced", () =>
        database.run(
          "UPDATE outbox SET delivered = 1 WHERE number = (SELECT number FROM outbox WHERE session = ? AND turn = ? AND delivered = 0 ORDER BY number LIMIT 1)",
          session,
          turn,
        ),
      );
    },
  };
}

/** Inserts an answer, as a part of the caller's transaction. */
export function insertAnswer(database: Database, answer: OutboxAnswer): void {
  database.run(
    "INSERT INTO outbox (id, session, turn, state, text, at, delivered) VALUES (?, ?, ?, ?, ?, ?, ?)",
    answer.id,
    answer.session,
    answer.turn,
    answer.state,
    answer.text,
    answer.at,
    answer.delivered ? 1 : 0,
  );
}

function answerOf(row: Row): OutboxAnswer {
  return {
    id: text(row, "id"),
    session: text(row, "session"),
    turn: text(row, "turn"),
    state: oneOf(row, "state", ["answered", "blocked", "failed", "stopped"]),
    text: text(row, "text"),
    at: integer(row, "at"),
    delivered: integer(row, "delivered") === 1,
  };
}

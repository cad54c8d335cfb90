import type { Label } from "../../signal/label.ts";
import type { KeptProposal, Proposal, ProposalState } from "../../signal/review.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";

/** The proposals of the review inbox: the truth about what was proposed and decided. What stands in the file of the inbox only shows it. */
export type Proposals = {
  readonly get: (id: string) => Promise<KeptProposal | null>;
  /** The proposals in these states, the oldest first. */
  readonly list: (states: readonly ProposalState[]) => Promise<readonly KeptProposal[]>;
  /** Keeps a proposal as open, new or in the place of the one with its id. The inbox does not show it yet. False if one of the lines that it was made from, by their ids, is forgotten: then it is not kept. */
  readonly keep: (id: string, proposal: Proposal, madeFrom?: readonly string[]) => Promise<boolean>;
  /** Notes a decision; the inbox shows it once it is filed. */
  readonly decide: (id: string, state: ProposalState, turn: string | null) => Promise<void>;
  /** Notes that the owner took the entry out of the inbox, which is a no as long as they do not put it back: the inbox shows both as they are. */
  readonly takeOut: (id: string) => Promise<void>;
  readonly putBack: (id: string) => Promise<void>;
  /** The ids of those that the inbox does not show as they are. */
  readonly unfiled: () => Promise<readonly string[]>;
  readonly markFiled: (ids: readonly string[]) => Promise<void>;
};

/** The table of proposals. */
export const proposalsTable = `
CREATE TABLE IF NOT EXISTS proposals (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, turn TEXT, filed INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS proposals_unfiled ON proposals (number) WHERE filed = 0;
CREATE INDEX IF NOT EXISTS proposals_by_state ON proposals (state, number);
`;

/** The proposals of a database. */
export function openProposals(database: Database, clock: Clock): Proposals {
  const set = async (
    id: string,
    { state, turn, filed }: Pick<KeptProposal, "state" | "turn" | "filed">,
  ): Promise<void> => {
    await database.forced(() =>
      database.run(
        "UPDATE proposals SET state = ?, turn = ?, filed = ? WHERE id = ?",
        state,
        turn,
        filed ? 1 : 0,
        id,
      ),
    );
  };
  return {
    get: async (id) => {
      const row = database.get("SELECT * FROM proposals WHERE id = ?", id);
      return row === undefined ? null : proposalOf(row);
    },
    list: async (states) =>
      database
        .all(
          "SELECT * FROM proposals WHERE state IN (SELECT value FROM json_each(?)) ORDER BY number",
          JSON.stringify(states),
        )
        .map(proposalOf),
    keep: async (id, proposal, madeFrom = []) =>
      database.forced(() => {
        if (madeFrom.some((line) => database.get("SELECT 1 FROM said WHERE id = ?", line) === undefined))
          return false;
        database.run(
          `INSERT INTO proposals (id, state, turn, filed, at, body) VALUES (?, 'open', NULL, 0, ?, ?)
           ON CONFLICT (id) DO UPDATE SET state = 'open', turn = NULL, filed = 0, body = excluded.body`,
          id,
          clock(),
          JSON.stringify(proposal),
        );
        return true;
      }),
    decide: async (id, state, turn) => set(id, { state, turn, filed: false }),
    takeOut: async (id) => set(id, { state: "rejected", turn: null, filed: true }),
    putBack: async (id) => set(id, { state: "open", turn: null, filed: true }),
    unfiled: async () =>
      database.all("SELECT id FROM proposals WHERE filed = 0 ORDER BY number").map((row) => text(row, "id")),
    markFiled: async (ids) => {
      await database.forced(() =>
        database.run(
          "UPDATE proposals SET filed = 1, body = json_remove(body, '$.replaced') WHERE id IN (SELECT value FROM json_each(?))",
          JSON.stringify(ids),
        ),
      );
    },
  };
}

/** All proposals, in any state. */
export function allProposals(database: Database): readonly KeptProposal[] {
  return database.all("SELECT * FROM proposals ORDER BY number").map(proposalOf);
}

/** Removes proposals that would change a file, as a part of the caller's transaction: their diffs have its text. */
export function forgetProposals(database: Database, file: string): void {
  database.run(
    `DELETE FROM proposals WHERE EXISTS (
       SELECT 1 FROM (SELECT value FROM json_each(body, '$.change.files') UNION ALL SELECT value FROM json_each(body, '$.replaced.change.files'))
       WHERE value ->> '$.path' = ?
     )`,
    file,
  );
}

/** Removes proposals that were made from texts, by the ids that labels and links to what was said name these by, as a part of the caller's transaction. */
export function forgetProposalsFrom(database: Database, ids: readonly string[]): void {
  database.run(
    `DELETE FROM proposals WHERE EXISTS (
       SELECT 1 FROM json_each(?) AS gone,
         (SELECT value FROM json_each(body, '$.label.sources') UNION ALL SELECT value FROM json_each(body, '$.replaced.label.sources')) AS source
       WHERE source.value ->> '$.id' = gone.value OR substr(source.value ->> '$.id', 1, length(gone.value) + 1) = gone.value || ':'
     ) OR EXISTS (SELECT 1 FROM json_each(?) AS gone WHERE instr(body, '[[said:' || gone.value || ':') > 0)`,
    JSON.stringify(ids),
    JSON.stringify(ids),
  );
}

/** Removes proposals with such a label, as a part of the caller's transaction. */
export function forgetProposalsLabelled(database: Database, isMeant: (label: Label) => boolean): void {
  for (const row of database.all("SELECT * FROM proposals")) {
    const { id, label, replaced } = proposalOf(row);
    if (isMeant(label) || (replaced !== undefined && isMeant(replaced.label)))
      database.run("DELETE FROM proposals WHERE id = ?", id);
  }
}

function proposalOf(row: Row): KeptProposal {
  return {
    ...json<Proposal>(row, "body"),
    id: text(row, "id"),
    state: oneOf(row, "state", ["open", "accepted", "rejected", "withdrawn"]),
    turn: textOrNull(row, "turn"),
    filed: integer(row, "filed") === 1,
    at: integer(row, "at"),
  };
}

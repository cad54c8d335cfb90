import type { Call } from "../../signal/action.ts";
import type { Label } from "../../signal/label.ts";
import type { Person, Source } from "../../signal/signal.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { json, type Row } from "../storage/rows.ts";

/** An edit that passed the judge and waits until an editor lets go of a file. */
export type DeferredEdit = {
  readonly id: string;
  readonly turn: string;
  readonly session: string;
  readonly source: Source;
  readonly person: Person;
  /** The real path of the file that was held. */
  readonly path: string;
  readonly call: Call;
  /** The join of all that flows into it. */
  readonly label: Label;
  /** SHA-256 in hex of what the file held when the edit was put off, under which that is kept; null where there was no file. */
  readonly base: string | null;
  /** The person's word, where it was asked for: it counts for the very same digest alone. */
  readonly approved: Turn["approved"];
  /** Unix milliseconds. */
  readonly at: number;
};

/** Edits that wait, in the order in which they were put off. */
export type DeferredEdits = {
  readonly get: (id: string) => Promise<DeferredEdit | null>;
  readonly all: () => Promise<readonly DeferredEdit[]>;
};

/** The waiting edits of a database. */
export function openDeferredEdits(database: Database): DeferredEdits {
  return {
    get: async (id) => {
      const row = database.get("SELECT body FROM pending_edits WHERE id = ?", id);
      return row === undefined ? null : editOf(row);
    },
    all: async () => database.all("SELECT body FROM pending_edits ORDER BY number").map(editOf),
  };
}

/** Puts an edit off, as a part of the transaction that it is called in. `instead` names the one whose place in the queue it takes. */
export function insertDeferredEdit(database: Database, edit: DeferredEdit, instead: string | null): void {
  const moved =
    instead === null
      ? 0
      : database.run(
          "UPDATE pending_edits SET id = ?, body = ? WHERE id = ?",
          edit.id,
          JSON.stringify(edit),
          instead,
        );
  if (moved > 0) return;
  database.run("INSERT INTO pending_edits (id, body) VALUES (?, ?)", edit.id, JSON.stringify(edit));
}

/** Drops an edit that was made or refused, as a part of the transaction that it is called in. */
export function removeDeferredEdit(database: Database, id: string): void {
  database.run("DELETE FROM pending_edits WHERE id = ?", id);
}

function editOf(row: Row): DeferredEdit {
  return json<DeferredEdit>(row, "body");
}

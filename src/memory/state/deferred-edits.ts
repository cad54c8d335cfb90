import type { Call } from "../../signal/action.ts";
import type { Label } from "../../signal/label.ts";
import type { Person, Source } from "../../signal/signal.ts";
import type { FileChange } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { json, type Row } from "../storage/rows.ts";

/** An edit that passed the judge and waits until an editor releases a file. */
export type DeferredEdit = {
  readonly id: string;
  readonly turn: string;
  readonly session: string;
  readonly source: Source;
  readonly person: Person;
  /** The real path of the locked file. */
  readonly path: string;
  readonly call: Call;
  /** The join of the labels of all inputs. */
  readonly label: Label;
  /** SHA-256 in hex of the file's contents when the edit was deferred: the id of its blob. Null where there was no file. */
  readonly base: string | null;
  /** The person's approval, where it was needed. It counts for the same digest alone. */
  readonly approved: Turn["approved"];
  /** Unix milliseconds. */
  readonly at: number;
  /**
   * The changes that were begun in a buffer, where nobody knows whether they were made; left out where none
   * was.
   */
  readonly attempted?: readonly FileChange[];
};

/** The edits that wait, oldest first. */
export type DeferredEdits = {
  readonly get: (id: string) => Promise<DeferredEdit | null>;
  readonly all: () => Promise<readonly DeferredEdit[]>;
};

/** The deferred edits of a database. */
export function openDeferredEdits(database: Database): DeferredEdits {
  return {
    get: async (id) => {
      const row = database.get("SELECT body FROM pending_edits WHERE id = ?", id);
      return row === undefined ? null : editOf(row);
    },
    all: async () => database.all("SELECT body FROM pending_edits ORDER BY number").map(editOf),
  };
}

/** Inserts a deferred edit, as a part of the caller's transaction. `instead` is the id of the edit that it replaces in the queue. */
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

/** Removes an edit that was made or refused, as a part of the caller's transaction. */
export function removeDeferredEdit(database: Database, id: string): void {
  database.run("DELETE FROM pending_edits WHERE id = ?", id);
}

function editOf(row: Row): DeferredEdit {
  return json<DeferredEdit>(row, "body");
}

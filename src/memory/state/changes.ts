import type { Clock } from "../../signal/clock.ts";
import type { Label } from "../../signal/label.ts";
import type { Database } from "../storage/database.ts";
import {
  bytesOrNull,
  integer,
  integerOrNull,
  json,
  oneOf,
  type Row,
  text,
  textOrNull,
} from "../storage/rows.ts";
import { type BlobFate, blobFates, storeBlob } from "./blobs.ts";
import type { Sealing } from "./sealing.ts";

/** One thing that a turn, or a taking back, changed. Digests are SHA-256 in hex, null where there was or is nothing. */
export type ChangeRecord = {
  /** Id of the turn, or of the taking back. */
  readonly turn: string;
  readonly session: string;
  /** Order within the turn. */
  readonly sequence: number;
  /** `memory`: that a taking back changed memory too; which objects is in their own history. */
  readonly kind: "file" | "memory";
  /** A real path, or `memory`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Id of the blob that holds what was there before; null where nothing was. */
  readonly preImage: string | null;
  /** The permission bits of a file that was taken away; null where one stayed or was made, which keeps its own. */
  readonly mode: number | null;
  readonly undone: boolean;
};

/** A change as it is kept. */
export type StoredChange = ChangeRecord & {
  /** Order among all changes. */
  readonly number: number;
  /** Where this took other changes back, or brought them again: whose `undone` it turned. */
  readonly undid: readonly number[];
};

/** What an undo finds of a pre-image. Only `kept` has bytes. */
export type PreImage =
  | { readonly status: "kept"; readonly bytes: Uint8Array }
  | { readonly status: "evicted" | "missing"; readonly reason: string };

/** Change sets and what they replaced. */
export type Changes = {
  /** Keeps a file's contents before they change, sealed where they are secret. `kept` is false where they are larger than the quota. Null bytes (no file) need no blob. */
  readonly storePreImage: (
    bytes: Uint8Array | null,
    secrecy?: Label["secrecy"],
  ) => Promise<{ readonly id: string | null; readonly kept: boolean }>;
  readonly preImage: (id: string) => Promise<PreImage>;
  /** In the order in which they were made. */
  readonly ofTurn: (turn: string) => Promise<readonly StoredChange[]>;
  /** All after a number, of every session, in the order in which they were made. */
  readonly since: (number: number) => Promise<readonly StoredChange[]>;
  /** The turn, or the rollback, whose change set `/undo` takes back: the session's latest with a change that is not undone. */
  readonly latestTurnWithChanges: (session: string) => Promise<string | null>;
  /** Keeps, before they are made, the changes that a taking back is about to make; no undo takes them back yet. Gives their numbers. */
  readonly planUndo: (changes: readonly ChangeRecord[]) => Promise<readonly number[]>;
  /** Notes that one of these changes was made, and turns `undone` of those that it undid. `undone` says that no undo is to take it back itself. */
  readonly confirmUndoChange: (
    change: Pick<StoredChange, "number" | "mode" | "undone" | "undid">,
  ) => Promise<void>;
  /** Runs one taking back at a time. */
  readonly runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
};

/** What the change sets of a database are kept with. `quota` is in bytes, for all blobs. */
export type ChangesOptions = { readonly clock: Clock; readonly quota: number; readonly sealing: Sealing };

/** The change sets of a database. */
export function openChanges(database: Database, { clock, quota, sealing }: ChangesOptions): Changes {
  let last: Promise<unknown> = Promise.resolve();
  return {
    storePreImage: async (bytes, secrecy = "public") => {
      if (bytes === null) return { id: null, kept: true };
      return database.transaction("forced", () =>
        storeBlob(database, { bytes, seal: secrecy === "secret" ? sealing.seal : null, quota, at: clock() }),
      );
    },
    preImage: async (id) => {
      const row = database.get("SELECT fate, bytes FROM blobs WHERE id = ?", id);
      if (row === undefined) return { status: "missing", reason: "it was never kept" };
      const bytes = bytesOrNull(row, "bytes");
      const fate = oneOf(row, "fate", blobFates);
      if (bytes === null) return notKept(fate);
      const opened = fate === "sealed" ? sealing.open(bytes) : bytes;
      return opened === null ? { status: "missing", reason: unsealable } : { status: "kept", bytes: opened };
    },
    ofTurn: async (turn) =>
      database.all("SELECT * FROM changes WHERE turn = ? ORDER BY sequence", turn).map(changeOf),
    since: async (number) =>
      database.all("SELECT * FROM changes WHERE number > ? ORDER BY number", number).map(changeOf),
    latestTurnWithChanges: async (session) => {
      const row = database.get(
        "SELECT turn FROM changes WHERE session = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
        session,
      );
      return row === undefined ? null : text(row, "turn");
    },
    planUndo: async (changes) =>
      database.transaction("forced", () =>
        changes.map((change) => insertChange(database, { ...change, undone: true })),
      ),
    confirmUndoChange: async ({ number, mode, undone, undid }) =>
      database.transaction("forced", () => {
        for (const other of undid) {
          database.run("UPDATE changes SET undone = 1 - undone WHERE number = ?", other);
        }
        database.run(
          "UPDATE changes SET mode = ?, undone = ?, undid = ? WHERE number = ?",
          mode,
          undone ? 1 : 0,
          JSON.stringify(undid),
          number,
        );
      }),
    runExclusively: async (work) => {
      const next = last.then(work, work);
      last = next;
      return next;
    },
  };
}

/** Keeps a change record, as a part of the transaction that it is called in; gives its number. */
export function insertChange(database: Database, change: ChangeRecord): number {
  const row = database.get(
    "INSERT INTO changes (turn, session, sequence, kind, path, before, after, pre_image, mode, undone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
    change.turn,
    change.session,
    change.sequence,
    change.kind,
    change.path,
    change.before,
    change.after,
    change.preImage,
    change.mode,
    change.undone ? 1 : 0,
  );
  if (row === undefined) throw new Error(`the change of ${change.path} was not kept`);
  return integer(row, "number");
}

const unsealable = "it is sealed, and the key of this state folder does not open it";

function notKept(fate: BlobFate): PreImage {
  switch (fate) {
    case "large":
      return { status: "evicted", reason: "it was larger than the quota for what is kept" };
    case "evicted":
      return { status: "evicted", reason: "it was dropped to stay within the quota for what is kept" };
    case "forgotten":
      return { status: "evicted", reason: "it was forgotten at your word" };
    case "kept":
    case "sealed":
      return { status: "missing", reason: "its contents are gone from the database" };
  }
}

function changeOf(row: Row): StoredChange {
  return {
    number: integer(row, "number"),
    turn: text(row, "turn"),
    session: text(row, "session"),
    sequence: integer(row, "sequence"),
    kind: oneOf(row, "kind", ["file", "memory"]),
    path: text(row, "path"),
    before: textOrNull(row, "before"),
    after: textOrNull(row, "after"),
    preImage: textOrNull(row, "pre_image"),
    mode: integerOrNull(row, "mode"),
    undone: integer(row, "undone") === 1,
    undid: json<readonly number[]>(row, "undid"),
  };
}

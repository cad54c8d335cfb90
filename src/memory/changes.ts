import type { Clock } from "../signal/clock.ts";
import type { Label } from "../signal/label.ts";
import { type BlobFate, blobFates, keepBlob } from "./blobs.ts";
import type { Database } from "./database.ts";
import { bytesOrNull, integer, integerOrNull, type Row, text, textOrNull, word } from "./rows.ts";

/** One thing that a turn changed. Digests are SHA-256 in hex (for an object: its hash), null where there was or is nothing. */
export type ChangeRecord = {
  readonly turn: string;
  readonly session: string;
  /** Order within the turn. */
  readonly sequence: number;
  readonly kind: "file" | "object";
  /** A real path, or an object's `realm/id`. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Id of the blob that holds what was there before; null where nothing was. */
  readonly preImage: string | null;
  /** The file's permission bits before; null where it is new or no file. */
  readonly mode: number | null;
  readonly undone: boolean;
};

/** What an undo finds of a pre-image. Only `kept` has bytes. */
export type PreImage =
  | { readonly status: "kept"; readonly bytes: Uint8Array }
  | { readonly status: "evicted" | "secret" | "missing"; readonly reason: string };

/** Change sets and what they replaced. */
export type Changes = {
  /** Keeps a file's contents before they change. `kept` is false where they are secret or larger than the quota: then the change is final. Null bytes (no file) need no blob. */
  readonly keepPreImage: (
    bytes: Uint8Array | null,
    secrecy?: Label["secrecy"],
  ) => Promise<{ readonly id: string | null; readonly kept: boolean }>;
  readonly preImage: (id: string) => Promise<PreImage>;
  /** In the order in which they were made. */
  readonly ofTurn: (turn: string) => Promise<readonly ChangeRecord[]>;
  /** The turn whose change set `/undo` takes back: the session's latest with a change that is not undone. */
  readonly latestTurnWithChanges: (session: string) => Promise<string | null>;
  readonly markUndone: (turn: string) => Promise<void>;
};

/** The change sets of a database. `quota` is in bytes, for all blobs. */
export function openChanges(database: Database, clock: Clock, quota: number): Changes {
  return {
    keepPreImage: async (bytes, secrecy = "public") => {
      if (bytes === null) return { id: null, kept: true };
      return database.transaction("forced", () =>
        keepBlob(database, { bytes, secret: secrecy === "secret", quota, at: clock() }),
      );
    },
    preImage: async (id) => {
      const row = database.get("SELECT fate, bytes FROM blobs WHERE id = ?", id);
      if (row === undefined) return { status: "missing", reason: "it was never kept" };
      const bytes = bytesOrNull(row, "bytes");
      const fate = word(row, "fate", blobFates);
      return bytes === null ? notKept(fate) : { status: "kept", bytes };
    },
    ofTurn: async (turn) =>
      database.all("SELECT * FROM changes WHERE turn = ? ORDER BY sequence", turn).map(changeOf),
    latestTurnWithChanges: async (session) => {
      const row = database.get(
        "SELECT turn FROM changes WHERE session = ? AND undone = 0 ORDER BY number DESC LIMIT 1",
        session,
      );
      return row === undefined ? null : text(row, "turn");
    },
    markUndone: async (turn) => {
      database.transaction("forced", () =>
        database.run("UPDATE changes SET undone = 1 WHERE turn = ? AND undone = 0", turn),
      );
    },
  };
}

/** Keeps a change record, as a part of the transaction that it is called in. */
export function insertChange(database: Database, change: ChangeRecord): void {
  database.run(
    "INSERT INTO changes (turn, session, sequence, kind, path, before, after, pre_image, mode, undone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
}

function notKept(fate: BlobFate): PreImage {
  switch (fate) {
    case "secret":
      return { status: "secret", reason: "its contents are secret, and secrets are not kept" };
    case "large":
      return { status: "evicted", reason: "it was larger than the quota for what is kept" };
    case "evicted":
      return { status: "evicted", reason: "it was dropped to stay within the quota for what is kept" };
    case "kept":
      return { status: "missing", reason: "its contents are gone from the database" };
  }
}

function changeOf(row: Row): ChangeRecord {
  return {
    turn: text(row, "turn"),
    session: text(row, "session"),
    sequence: integer(row, "sequence"),
    kind: word(row, "kind", ["file", "object"]),
    path: text(row, "path"),
    before: textOrNull(row, "before"),
    after: textOrNull(row, "after"),
    preImage: textOrNull(row, "pre_image"),
    mode: integerOrNull(row, "mode"),
    undone: integer(row, "undone") === 1,
  };
}

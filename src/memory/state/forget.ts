import type { Clock } from "../../signal/clock.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { KeptProposal } from "../../signal/review.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { forgetAttachments } from "./attachments.ts";
import { type BlobStore, dropBlobs } from "./blobs.ts";
import { forgottenMark } from "./is-forgotten.ts";
import type { Author } from "./memory-object.ts";
import { placeObjects } from "./object-store.ts";
import { allProposals, forgetProposals, forgetProposalsFrom } from "./proposals.ts";
import { eraseResult } from "./redact.ts";
import { insertResult } from "./results.ts";
import { forgetSkillTroubles } from "./skill-troubles.ts";
import { sessionsUnder, turnsUnder } from "./sub-tasks.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/**
 * What the owner wants to be forgotten: an object of the agent's own, a finished turn or an entry of it, or a note, by its id; files, with their contents before
 * changes; and deferred edits, by their ids. The deferred edits of the turn are found here.
 */
export type ForgetRequest = {
  readonly id: string;
  readonly files: readonly string[];
  readonly edits: readonly string[];
};

/** Counts of what was forgotten. */
export type ForgetResult = {
  /** Versions of an object. */
  readonly versions: number;
  readonly turns: number;
  /** Contents of files before changes. */
  readonly preImages: number;
  /** Deferred edits. */
  readonly edits: number;
  /** Proposals that were made from it: their entries in the inbox still hold its text. */
  readonly proposals: readonly KeptProposal[];
};

/** What was forgotten with a session. */
export type ForgottenSession = Pick<ForgetResult, "turns" | "proposals">;

/**
 * Removes texts for good and overwrites their place on the disk. Their hashes stay, and with them the chain of the journal and the history. It cannot be undone: an
 * undo or rollback that needs a text says that it is gone.
 */
export function forget(
  store: BlobStore,
  { id, files, edits: waiting }: ForgetRequest,
  {
    author,
    rows,
    clock,
    forgetSaid,
  }: {
    readonly rows: TurnRows;
    readonly author: Author;
    readonly clock: Clock;
    /** Removes a turn from session memory. */
    readonly forgetSaid: (turn: string) => void;
  },
): ForgetResult {
  const { database } = store;
  const forgotten = forgetAtOnce(database, () => {
    const turn = id.replace(/:\d+$/, "");
    const versions = forgetObject(database, id, { author, at: clock() });
    const forgottenTurns = [turn, ...turnsUnder(database, turn)].filter(
      (one) => forgetTurn(store, rows, one) > 0,
    );
    for (const one of forgottenTurns) forgetSaid(one);
    const turns = forgottenTurns.length;
    const preImages = files.map((file) => forgetPreImages(store, file)).reduce((sum, some) => sum + some, 0);
    for (const file of files) forgetProposals(database, file);
    forgetProposalsFrom(database, [id]);
    forgetSkillTroubles(database, namesOneOf([id]));
    const edits = [
      ...waiting.map((edit) => database.run("DELETE FROM pending_edits WHERE id = ?", edit)),
      database.run("DELETE FROM pending_edits WHERE body ->> '$.turn' = ?", turn),
    ].reduce((sum, some) => sum + some, 0);
    return { versions, turns, preImages, edits };
  });
  overwriteFreed(database);
  return forgotten;
}

/** Removes an object of the agent's own with all its versions, as a part of the caller's transaction; gives how many versions there were. */
export function forgetObject(
  database: Database,
  id: string,
  { author, at }: { readonly author: Author; readonly at: number },
): number {
  const rows = database.all("SELECT number FROM object_versions WHERE realm = 'own' AND id = ?", id);
  if (rows.length === 0) return 0;
  placeObjects(database, [{ realm: "own", id, hash: null }], author, at);
  for (const row of rows) {
    database.run("DELETE FROM object_words WHERE rowid = ?", integer(row, "number"));
    database.run("DELETE FROM object_versions WHERE number = ?", integer(row, "number"));
  }
  // The index of words keeps the words of removed rows until it is merged.
  database.run("INSERT INTO object_words (object_words) VALUES ('optimize')");
  return rows.length;
}

/** Forgets a session: the texts of its turns, its answers and its questions. It is in no list any more; its journal and what it changed in files stay. */
export function forgetSession(
  store: BlobStore,
  session: string,
  { rows, forgetSaid }: { readonly rows: TurnRows; readonly forgetSaid: (turn: string) => void },
): ForgottenSession {
  const { database } = store;
  const forgotten = forgetAtOnce(database, () => {
    const forgetOne = (one: string): number => {
      const ids = database
        .all("SELECT id FROM turns WHERE session = ?", one)
        .map((row) => text(row, "id"))
        .filter((id) => forgetTurn(store, rows, id) > 0);
      for (const id of ids) forgetSaid(id);
      forgetAttachments(store, { session: one });
      for (const table of ["outbox", "approvals", "rewindings"])
        database.run(`DELETE FROM ${table} WHERE session = ?`, one);
      database.run("DELETE FROM sessions WHERE id = ?", one);
      return ids.length;
    };
    for (const subTask of sessionsUnder(database, session)) forgetOne(subTask);
    return { turns: forgetOne(session) };
  });
  overwriteFreed(database);
  return forgotten;
}

/** Forgets in one transaction that is on the disk when it returns, and gives the proposals that went with it. */
export function forgetAtOnce<Forgotten extends object>(
  database: Database,
  work: () => Forgotten,
): Forgotten & Pick<ForgetResult, "proposals"> {
  return database.transaction("forced", () => {
    const before = allProposals(database);
    const forgotten = work();
    const kept = new Set(allProposals(database).map(({ id }) => id));
    return { ...forgotten, proposals: before.filter(({ id }) => !kept.has(id)) };
  });
}

/** Overwrites what was freed, now and by earlier changes, and empties the write-ahead log. */
export function overwriteFreed(database: Database): void {
  database.script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Whether a label names one of these ids, or a part of what one of them names. */
function namesOneOf(ids: readonly string[]): (label: Label) => boolean {
  return ({ sources }) =>
    sources.some((source) => ids.some((id) => source.id === id || source.id.startsWith(`${id}:`)));
}

/** Removes the texts of a finished turn, as a part of the caller's transaction; gives how many turns that were. */
export function forgetTurn(store: BlobStore, rows: TurnRows, id: string): number {
  const { database } = store;
  const row = database.get(`SELECT ${turnColumns} FROM turns WHERE id = ?`, id);
  if (row === undefined) return 0;
  const turn = rows.read(row);
  if (!isFinal(turn.state)) return 0;
  for (const message of turn.messages) {
    if (message.role !== "result") continue;
    const { result } = message;
    const isPlaced = database.run("DELETE FROM result_places WHERE id = ?", result.id) > 0;
    if (isPlaced) insertResult(database, { result, turn: id, at: turn.updatedAt, place: null });
  }
  rows.replace(integer(row, "number"), forgottenTurn(turn));
  const results = turn.messages.flatMap((message) => (message.role === "result" ? [message.result.id] : []));
  const ids = [id, turn.signal.id, ...results];
  forgetProposalsFrom(database, ids);
  forgetSkillTroubles(database, namesOneOf(ids));
  forgetAttachments(store, { session: turn.session, turn: id });
  database.run("UPDATE outbox SET text = ? WHERE turn = ?", forgottenMark, id);
  for (const result of database.all("SELECT id, body FROM results WHERE turn = ?", id)) {
    const body = JSON.stringify(eraseResult(json<ToolResult>(result, "body")));
    database.run("UPDATE results SET body = ? WHERE id = ?", body, text(result, "id"));
  }
  return 1;
}

/** The turn with its end, and without anything that was said in it. */
function forgottenTurn(turn: Turn): Turn {
  const words: Message = { role: "user", text: forgottenMark, label: turn.signal.label };
  return {
    ...turn,
    signal: { ...turn.signal, text: forgottenMark, payload: {} },
    messages: [words],
    pending: [],
    text: forgottenMark,
  };
}

/** Removes the kept contents of a file, as a part of the caller's transaction; gives how many there were. */
export function forgetPreImages(store: BlobStore, file: string): number {
  const rows = store.database.all(
    `SELECT id FROM blobs WHERE bytes IS NOT NULL AND id IN (
       SELECT pre_image FROM changes WHERE path = ?1
       UNION ALL SELECT after FROM changes WHERE path = ?1
       UNION ALL SELECT body ->> '$.base' FROM pending_edits WHERE body ->> '$.path' = ?1
       UNION ALL SELECT id FROM attachments WHERE body ->> '$.file.path' = ?1
     )`,
    file,
  );
  dropBlobs(store, new Set(rows.map((row) => text(row, "id"))), "forgotten");
  return rows.length;
}

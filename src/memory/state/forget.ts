import type { KeptProposal } from "../../signal/review.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { forgetAttachments } from "./attachments.ts";
import { type BlobStore, dropBlobs, hasBytes } from "./blobs.ts";
import {
  type ForgetTurnParts,
  forgetGrownTexts,
  forgetTurns,
  type GrownTexts,
  namesOneOf,
} from "./forget-turn.ts";
import type { Author, MemoryObject } from "./memory-object.ts";
import { placeObjects } from "./object-store.ts";
import { allProposals, forgetProposals, forgetProposalsFrom } from "./proposals.ts";
import { forgetOutcomes } from "./requests.ts";
import { forgetSentPrefixes } from "./sent-prefixes.ts";
import { forgetSkillTroubles } from "./skill-troubles.ts";
import { sessionsUnder, turnsUnder } from "./sub-tasks.ts";
import { copiesOfTurn } from "./turn-rows.ts";

/**
 * A request to forget: an object of the agent's own, a finished turn or an entry of it, or a note, by its ID; files, with their contents before changes; and
 * deferred edits, by their IDs. The deferred edits of the turn are found here. `grown`: the texts that the agent derived from it by itself.
 */
export type ForgetRequest = {
  readonly id: string;
  readonly files: readonly string[];
  /** Kept versions of other files that contain it, by their blobs. */
  readonly versions: readonly string[];
  readonly edits: readonly string[];
  readonly grown: GrownTexts | null;
};

/** The counts of a forgetting. */
export type ForgetResult = {
  /** Versions of an object. */
  readonly versions: number;
  readonly turns: number;
  /** Turns of which some texts grew from it. */
  readonly grown: number;
  /** Contents of files before changes. */
  readonly preImages: number;
  /** Kept versions of other files. */
  readonly earlier: number;
  /** Deferred edits. */
  readonly edits: number;
  /** Proposals that were made from it: their entries in the inbox still hold its text. */
  readonly proposals: readonly KeptProposal[];
};

/** What was forgotten with a session. */
export type ForgottenSession = Pick<ForgetResult, "turns" | "grown" | "proposals">;

/**
 * Removes texts for good and overwrites their place on the disk. Their hashes stay, and with them the chain of the journal and the history. It cannot be undone: an
 * undo or rollback that needs a text says that it is gone.
 */
export async function forget(
  store: BlobStore,
  { id, files, versions: earlier, edits: waiting, grown: texts }: ForgetRequest,
  parts: ForgetTurnParts & { readonly author: Author; readonly clock: Clock },
): Promise<ForgetResult> {
  const { database } = store;
  const { author, clock } = parts;
  const forgotten = await forgetAtOnce(database, () => {
    const turn = id.replace(/:\d+$/, "");
    const versions = forgetObject(database, id, { author, at: clock() });
    const turns = forgetTurns(
      store,
      [turn, ...copiesOfTurn(database, turn), ...turnsUnder(database, turn)],
      parts,
    );
    const grown = forgetGrownTexts(store, texts, parts);
    const preImages = files.map((file) => forgetPreImages(store, file)).reduce((sum, some) => sum + some, 0);
    for (const file of files) forgetProposals(database, file);
    forgetProposalsFrom(database, [id]);
    forgetSkillTroubles(database, namesOneOf([id]));
    const edits = [
      ...waiting.map((edit) => database.run("DELETE FROM pending_edits WHERE id = ?", edit)),
      database.run("DELETE FROM pending_edits WHERE body ->> '$.turn' = ?", turn),
    ].reduce((sum, some) => sum + some, 0);
    return { versions, turns, grown, preImages, earlier: forgetVersions(store, earlier), edits };
  });
  overwriteFreed(database);
  return forgotten;
}

/** Removes an object of the agent's own with all its versions, as a part of the caller's transaction. Returns the number of versions. */
export function forgetObject(
  database: Database,
  id: string,
  { author, at }: { readonly author: Author; readonly at: number },
): number {
  const rows = database.all("SELECT number FROM object_versions WHERE realm = 'own' AND id = ?", id);
  if (rows.length === 0) return 0;
  placeObjects(database, [{ realm: "own", id, hash: null }], author, at);
  for (const row of rows) removeVersion(database, integer(row, "number"));
  mergeWords(database);
  return rows.length;
}

/**
 * Removes the versions of the agent's own objects that are not in force and have such a label, or that these turns made, as a part of the caller's transaction. An undo
 * or an earlier forgetting leaves such versions behind. Returns their number.
 */
export function forgetEarlierVersions(database: Database, { turns, isDerived }: GrownTexts): number {
  const rows = database.all(
    `SELECT number, body, EXISTS (SELECT 1 FROM object_changes WHERE after = hash AND turn IN (SELECT value FROM json_each(?))) AS made
     FROM object_versions WHERE realm = 'own' AND hash NOT IN (SELECT hash FROM objects WHERE hash IS NOT NULL)`,
    JSON.stringify(turns),
  );
  const meant = rows.filter(
    (row) => integer(row, "made") === 1 || isDerived(json<MemoryObject>(row, "body").label),
  );
  for (const row of meant) removeVersion(database, integer(row, "number"));
  if (meant.length > 0) mergeWords(database);
  return meant.length;
}

function removeVersion(database: Database, number: number): void {
  database.run("DELETE FROM object_words WHERE rowid = ?", number);
  database.run("DELETE FROM object_versions WHERE number = ?", number);
}

/** The index of words keeps the words of removed rows until it is merged. */
function mergeWords(database: Database): void {
  database.run("INSERT INTO object_words (object_words) VALUES ('optimize')");
}

/** Forgets a session: the texts of its turns, its answers and its questions. It is in no list any more; its journal and what it changed in files stay. */
export async function forgetSession(
  store: BlobStore,
  { session, grown: texts }: { readonly session: string; readonly grown: GrownTexts | null },
  parts: ForgetTurnParts,
): Promise<ForgottenSession> {
  const { database } = store;
  const forgotten = await forgetAtOnce(database, () => {
    const forgetOne = (one: string): number => {
      const ids = database.all("SELECT id FROM turns WHERE session = ?", one).map((row) => text(row, "id"));
      const turns = forgetTurns(store, ids, parts);
      forgetAttachments(store, { session: one });
      for (const table of ["outbox", "approvals", "rewindings"])
        database.run(`DELETE FROM ${table} WHERE session = ?`, one);
      database.run("DELETE FROM sessions WHERE id = ?", one);
      return turns;
    };
    for (const subTask of sessionsUnder(database, session)) forgetOne(subTask);
    return { turns: forgetOne(session), grown: forgetGrownTexts(store, texts, parts) };
  });
  overwriteFreed(database);
  return forgotten;
}

/**
 * Forgets in one transaction that is on the disk when it resolves. Returns the proposals that were removed
 * with it. The stored replies of commands are removed too, since any of them may have shown the text.
 */
export function forgetAtOnce<Forgotten extends object>(
  database: Database,
  work: () => Forgotten,
): Promise<Forgotten & Pick<ForgetResult, "proposals">> {
  return database.forced(() => {
    const before = allProposals(database);
    const forgotten = work();
    forgetOutcomes(database);
    forgetSentPrefixes(database);
    const kept = new Set(allProposals(database).map(({ id }) => id));
    return { ...forgotten, proposals: before.filter(({ id }) => !kept.has(id)) };
  });
}

/** Overwrites all freed pages and empties the write-ahead log. */
export function overwriteFreed(database: Database): void {
  database.script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Removes the kept contents of a file, as a part of the caller's transaction. Returns their number. */
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

/** Removes kept versions of files, as a part of the caller's transaction. Returns their number. */
export function forgetVersions(store: BlobStore, blobs: readonly string[]): number {
  const kept = blobs.filter((id) => hasBytes(store.database, id));
  dropBlobs(store, new Set(kept), "forgotten");
  return kept.length;
}

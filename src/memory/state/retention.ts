import type { ToolResult } from "../../signal/tool.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, text } from "../storage/rows.ts";
import { dropUnsaid } from "./attachments.ts";
import { dropUnneeded } from "./blob-room.ts";
import type { BlobStore } from "./blobs.ts";
import { dropCountedCalls } from "./counted-calls.ts";
import { timeForDeleting } from "./deleting-clock.ts";
import { slimResult, slimTurn } from "./redact.ts";
import { forgetSnapshots } from "./snapshots.ts";
import type { TurnRows } from "./turn-rows.ts";

/** The limits of what is stored. Turns keep their words for ever. Blobs that no undo needs and large old results lose their bytes, and old snapshots of turns are removed. */
export type Quotas = {
  /** Bytes of all pre-images together, and of those that the changes of one session need. */
  readonly blobBytes: number;
  readonly sessionBlobBytes: number;
  /** Days after which a finished turn's results longer than `resultCharacters` lose their contents. */
  readonly resultDays: number;
  readonly resultCharacters: number;
  /** The number of snapshots that were taken for a turn. Snapshots by hand or by a rollback stay for ever. */
  readonly turnSnapshots: number;
};

/** 256 MB of pre-images, 64 MB for each session; results of more than 4,096 characters for 90 days; the newest 200 snapshots of turns. */
export const defaultQuotas: Quotas = {
  blobBytes: 268_435_456,
  sessionBlobBytes: 67_108_864,
  resultDays: 90,
  resultCharacters: 4096,
  turnSnapshots: 200,
};

/** Counts of what was removed to stay within the quotas. */
export type PruneResult = {
  readonly blobs: number;
  readonly turns: number;
  readonly results: number;
  readonly snapshots: number;
};

/** Removes what exceeds the quotas, in one transaction. The journal is never cut, and no pre-image goes that an undo may need. */
export function prune(store: BlobStore, rows: TurnRows, quotas: Quotas, now: number): Promise<PruneResult> {
  const { database } = store;
  return database.forced(() => {
    const time = timeForDeleting(database, now);
    const before = time - quotas.resultDays * 86_400_000;
    dropUnsaid(store, time);
    dropCountedCalls(database);
    return {
      blobs: dropUnneeded(store, quotas.blobBytes, now),
      turns: slimTurns(database, rows, quotas.resultCharacters, before),
      results: slimResults(database, quotas.resultCharacters, before),
      snapshots: forgetSnapshots(database, quotas.turnSnapshots),
    };
  });
}

function slimTurns(database: Database, turns: TurnRows, limit: number, before: number): number {
  const rows = database.all(
    "SELECT number, body FROM turns WHERE slimmed = 0 AND updated < ? AND state IN ('answered', 'blocked', 'failed', 'stopped')",
    before,
  );
  return rows.filter((row) => {
    const turn = turns.read(row);
    const slim = slimTurn(turn, limit);
    const number = integer(row, "number");
    database.run("UPDATE turns SET slimmed = 1 WHERE number = ?", number);
    const isSlimmer = slim.messages.some((message, index) => message !== turn.messages[index]);
    if (isSlimmer) turns.replace(number, slim);
    return isSlimmer;
  }).length;
}

function slimResults(database: Database, limit: number, before: number): number {
  const rows = database.all("SELECT id, body FROM results WHERE slimmed = 0 AND at < ?", before);
  return rows.filter((row) => {
    const slim = JSON.stringify(slimResult(json<ToolResult>(row, "body"), limit));
    database.run("UPDATE results SET slimmed = 1, body = ? WHERE id = ?", slim, text(row, "id"));
    return slim !== text(row, "body");
  }).length;
}

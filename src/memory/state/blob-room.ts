import { pushAll } from "../../text/lists.ts";
import type { Database } from "../storage/database.ts";
import { integer, text, textOrNull } from "../storage/rows.ts";
import { type BlobStore, dropBlobs } from "./blobs.ts";

/** Bytes of pre-images: of all sessions together, and those that the changes of one session need. */
export type UndoBudget = { readonly total: number; readonly session: number };

/** A request for room for `size` bytes that a change of a session needs. */
export type RoomRequest = {
  readonly session: string;
  readonly size: number;
  readonly budget: UndoBudget;
  readonly at: number;
};

/** Milliseconds for which a blob that no change refers to counts as part of a running undo. */
const graceTime = 3_600_000;

/** The part of the budget that stays in use once room was made, so that not every change has to ask for room. */
const usedAfterwards = 15 / 16;

/** A blob that has bytes. */
type KeptBlob = {
  readonly id: string;
  readonly size: number;
  /** The blob that it is stored as differences from. */
  readonly base: string | null;
  readonly need: "unneeded" | "undo" | "running";
  /** The sessions whose changes need it. */
  readonly sessions: ReadonlySet<string>;
};

/** The bytes in use. */
export function usedBytes(database: Database, session: string): UndoBudget {
  const all = database.get("SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE bytes IS NOT NULL");
  const own = database.get(
    `SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE bytes IS NOT NULL
     AND id IN (SELECT pre_image FROM changes WHERE session = ? AND undone = 0)`,
    session,
  );
  return {
    total: all === undefined ? 0 : integer(all, "bytes"),
    session: own === undefined ? 0 : integer(own, "bytes"),
  };
}

/** Drops the oldest blobs that no undo needs, until all are within `total` bytes; returns how many. It never drops a blob that an undo needs. */
export function dropUnneeded(store: BlobStore, total: number, at: number): number {
  let excess = usedBytes(store.database, "").total - total;
  if (excess <= 0) return 0;
  const dropped = new Set<string>();
  for (const blob of unneededBlobs(keptBlobs(store.database, at))) {
    if (excess <= 0) break;
    dropped.add(blob.id);
    excess -= blob.size;
  }
  dropBlobs(store, dropped, "evicted");
  return dropped.size;
}

/**
 * The blobs that undo needs and that have to go before bytes can be stored: none while there is room.
 * Where the session has used up its share the oldest of its blobs go, and where all is used up the oldest of the session that has the most.
 * Blobs that are stored as differences from each other go together.
 */
export function planRoom(database: Database, request: RoomRequest): ReadonlySet<string> {
  const blobs = keptBlobs(database, request.at);
  const unneeded = new Set(unneededBlobs(blobs));
  let left = blobs.filter((blob) => !unneeded.has(blob));
  const drops = new Set<string>();
  for (let budget = request.budget; ; ) {
    const session = sessionToShrink(left, { ...request, budget });
    const tree = session === null ? [] : oldestTree(left, session);
    if (tree.length === 0) return drops;
    for (const { id } of tree) drops.add(id);
    left = left.filter(({ id }) => !drops.has(id));
    const { total, session: share } = request.budget;
    budget = { total: total * usedAfterwards, session: share * usedAfterwards };
  }
}

/** Blobs that no undo needs, oldest first, a blob after those that are stored as differences from it. */
function unneededBlobs(blobs: readonly KeptBlob[]): readonly KeptBlob[] {
  const found: KeptBlob[] = [];
  let left = blobs;
  for (;;) {
    const bases = new Set(left.map(({ base }) => base));
    const leaves = new Set(left.filter(({ id, need }) => need === "unneeded" && !bases.has(id)));
    if (leaves.size === 0) return found;
    pushAll(found, leaves);
    left = left.filter((blob) => !leaves.has(blob));
  }
}

/** The session whose oldest blobs have to go; null if there is room. */
function sessionToShrink(blobs: readonly KeptBlob[], { session, size, budget }: RoomRequest): string | null {
  const used = new Map<string, number>();
  let total = size;
  for (const blob of blobs) {
    total += blob.size;
    for (const name of blob.sessions) used.set(name, (used.get(name) ?? 0) + blob.size);
  }
  if ((used.get(session) ?? 0) + size > budget.session && used.has(session)) return session;
  if (total <= budget.total) return null;
  const [largest] = [...used].toSorted(([, a], [, b]) => b - a);
  return largest?.[0] ?? null;
}

/** The oldest whole blob that a session needs, or that such a blob is stored as differences from, with all that are stored as differences from it. */
function oldestTree(blobs: readonly KeptBlob[], session: string): readonly KeptBlob[] {
  const byId = new Map(blobs.map((blob) => [blob.id, blob]));
  const rootOf = (blob: KeptBlob): KeptBlob => {
    const base = blob.base === null ? undefined : byId.get(blob.base);
    return base === undefined ? blob : rootOf(base);
  };
  const trees = Map.groupBy(blobs, rootOf);
  for (const tree of trees.values()) {
    const isRunning = tree.some(({ need }) => need === "running");
    if (!isRunning && tree.some(({ sessions }) => sessions.has(session))) return tree;
  }
  return [];
}

/** All blobs with bytes, oldest first. Those of attached files have room of their own, and no undo takes it. */
function keptBlobs(database: Database, at: number): readonly KeptBlob[] {
  const users = database.all(
    `SELECT DISTINCT pre_image AS id, session FROM changes WHERE undone = 0 AND pre_image IS NOT NULL
     UNION SELECT body ->> '$.base', body ->> '$.session' FROM pending_edits WHERE body ->> '$.base' IS NOT NULL`,
  );
  const sessions = new Map<string, Set<string>>();
  for (const row of users) {
    const id = text(row, "id");
    sessions.set(id, (sessions.get(id) ?? new Set()).add(text(row, "session")));
  }
  const attached = new Set(database.all("SELECT DISTINCT id FROM attachments").map((row) => text(row, "id")));
  return database
    .all(
      `SELECT blobs.id, size, at, base FROM blobs LEFT JOIN blob_deltas ON blob_deltas.id = blobs.id
       WHERE bytes IS NOT NULL ORDER BY at, number`,
    )
    .map((row) => {
      const id = text(row, "id");
      const users = sessions.get(id) ?? new Set<string>();
      const isUsed = attached.has(id) || integer(row, "at") > at - graceTime;
      const need = users.size > 0 ? "undo" : isUsed ? "running" : "unneeded";
      return { id, size: integer(row, "size"), base: textOrNull(row, "base"), need, sessions: users };
    });
}

import { privateTextTables } from "../private-text/private-texts.ts";
import { attachmentsTable } from "./attachments.ts";
import { countedCallsTable } from "./counted-calls.ts";
import { jobEventTables } from "./job-events.ts";
import { jobTables } from "./jobs.ts";
import { proposalsTable } from "./proposals.ts";
import { rewindingsTable } from "./rewindings.ts";
import { sessionMemorySchema } from "./session-memory.ts";
import { unprovedSessionsTable } from "./sessions.ts";
import { subTaskTables } from "./sub-tasks.ts";
import { trustedFoldersTable } from "./trusted-folders.ts";

/** The version of the database that this program writes. */
export const databaseVersion = 17;

/** SQLite's application id of our databases: "PPrt" in ASCII. */
export const applicationId = 0x50507274;

/**
 * Bytes of a page, a quarter of SQLite's default. A transaction writes each page that it touches as a whole, and a step touches single rows of many tables.
 */
export const pageBytes = 1024;

/** The columns of the ledger since version 7. */
export const ledgerDetails = [
  ["cache_read", "INTEGER NOT NULL DEFAULT 0"],
  ["cache_write", "INTEGER NOT NULL DEFAULT 0"],
  ["thinking", "INTEGER NOT NULL DEFAULT 0"],
  ["price_from", "TEXT NOT NULL DEFAULT 'unrecorded'"],
  ["price_day", "TEXT"],
] as const;

/** What a call was for, since version 15: the job and the skill of its turn, and what chose its model. Null where there is none. */
export const ledgerPurposes = [
  ["job", "TEXT"],
  ["skill", "TEXT"],
  ["route", "TEXT"],
] as const;

/**
 * Turns and the tables beside them. `filed` is 0 until a finished turn is in session memory: the index of these turns is small, and no step touches it.
 * A message is written once, at its place: see `turn-rows.ts`. The result of a call is in its message; `results` holds the other results.
 */
export const turnTables = `
CREATE TABLE turns (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, client TEXT, state TEXT NOT NULL,
  updated INTEGER NOT NULL, slimmed INTEGER NOT NULL DEFAULT 0, compacted INTEGER NOT NULL DEFAULT 0, filed INTEGER NOT NULL DEFAULT 0,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX turns_by_client ON turns (session, client) WHERE client IS NOT NULL;
CREATE INDEX turns_by_session ON turns (session, number);
CREATE INDEX turns_by_compaction ON turns (compacted, session, number) WHERE compacted < 2 AND filed = 1;
CREATE INDEX turns_unfiled ON turns (number) WHERE filed = 0;
CREATE INDEX turns_to_file ON turns (number) WHERE filed = 0 AND state IN ('answered', 'blocked', 'failed', 'stopped');

CREATE TABLE messages (place INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;

CREATE TABLE outbox (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL, session TEXT NOT NULL, turn TEXT NOT NULL,
  state TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL, delivered INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_waiting ON outbox (session, number) WHERE delivered = 0;

CREATE TABLE results (
  id TEXT PRIMARY KEY, turn TEXT, at INTEGER NOT NULL, slimmed INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL
) STRICT;
CREATE INDEX results_by_time ON results (at) WHERE slimmed = 0;
CREATE TABLE result_places (id TEXT PRIMARY KEY, place INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  id TEXT PRIMARY KEY, turn TEXT NOT NULL, session TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
  state TEXT NOT NULL, reserved INTEGER NOT NULL, cost INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  reason TEXT NOT NULL, at INTEGER NOT NULL, ${[...ledgerDetails, ...ledgerPurposes].map((column) => column.join(" ")).join(", ")}
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_reserved ON ledger (id) WHERE state = 'reserved';
`;

/** The sums of the ledger are read from its indexes alone, before each model call. Any program of this version reads a database with or without them. */
export const ledgerIndexes = `
DROP INDEX IF EXISTS ledger_by_time;
DROP INDEX IF EXISTS ledger_by_session;
CREATE INDEX IF NOT EXISTS ledger_costs_by_time ON ledger (at, cost);
CREATE INDEX IF NOT EXISTS ledger_costs_by_turn ON ledger (session, turn, cost);
`;

/**
 * The blobs that are stored as differences from another blob, `base`: the ranges that they copy from it, as JSON. `size` in `blobs` counts what is stored.
 */
export const deltaTables = `
CREATE TABLE blob_deltas (id TEXT PRIMARY KEY, base TEXT NOT NULL, copies TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX blob_deltas_by_base ON blob_deltas (base);
CREATE INDEX changes_by_path ON changes (path, number);
`;

/** The tables of version 4. Bodies are JSON; what is looked up has a column beside them. */
export const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

${turnTables}
${ledgerIndexes}
CREATE TABLE sessions (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT UNIQUE, workspace TEXT, source TEXT NOT NULL,
  focus TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL
) STRICT;
${unprovedSessionsTable}
CREATE TABLE approvals (
  number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, session TEXT NOT NULL, state TEXT NOT NULL,
  expires INTEGER NOT NULL, further INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_open ON approvals (session, number) WHERE state = 'open';
CREATE INDEX approvals_due ON approvals (expires) WHERE state = 'open';

CREATE TABLE blobs (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fate TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER NOT NULL, bytes BLOB
) STRICT;
CREATE INDEX blobs_kept ON blobs (size) WHERE bytes IS NOT NULL;

CREATE TABLE changes (
  number INTEGER PRIMARY KEY, turn TEXT NOT NULL, session TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL,
  path TEXT NOT NULL, before TEXT, after TEXT, pre_image TEXT, mode INTEGER, undone INTEGER NOT NULL,
  undid TEXT NOT NULL DEFAULT '[]', UNIQUE (turn, sequence)
) STRICT;
CREATE INDEX changes_by_session ON changes (session, number) WHERE undone = 0;
CREATE INDEX changes_by_blob ON changes (pre_image) WHERE undone = 0;
${deltaTables}
CREATE TABLE object_versions (
  number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, realm TEXT NOT NULL, bucket TEXT NOT NULL, id TEXT NOT NULL,
  parent TEXT, body TEXT NOT NULL
) STRICT;
CREATE INDEX object_versions_by_parent ON object_versions (realm, parent);
CREATE TABLE objects (
  realm TEXT NOT NULL, bucket TEXT NOT NULL, id TEXT NOT NULL, hash TEXT, last INTEGER NOT NULL, PRIMARY KEY (realm, bucket, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE object_changes (
  sequence INTEGER PRIMARY KEY, realm TEXT NOT NULL, id TEXT NOT NULL, before TEXT, after TEXT, previous INTEGER,
  turn TEXT, session TEXT, at INTEGER NOT NULL
) STRICT;
CREATE INDEX object_changes_by_turn ON object_changes (turn) WHERE turn IS NOT NULL;
CREATE TABLE trie (realm TEXT NOT NULL, prefix TEXT NOT NULL, children BLOB NOT NULL, PRIMARY KEY (realm, prefix)) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sequence INTEGER NOT NULL, change INTEGER NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE object_words USING fts5 (content, attributes, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');

CREATE TABLE requests (
  session TEXT NOT NULL, client TEXT NOT NULL, hash TEXT NOT NULL, outcome TEXT, at INTEGER NOT NULL,
  PRIMARY KEY (session, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_time ON requests (at);

CREATE TABLE pending_edits (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;

CREATE TABLE origins (
  hash TEXT PRIMARY KEY, label TEXT NOT NULL, trusted INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${privateTextTables}
${trustedFoldersTable}
${rewindingsTable}
${jobTables}
${jobEventTables}
${subTaskTables}
${countedCallsTable}
${attachmentsTable}
${proposalsTable}
${sessionMemorySchema}
CREATE TABLE intents (sequence INTEGER PRIMARY KEY, turn TEXT, digest TEXT, start INTEGER NOT NULL, end INTEGER NOT NULL) STRICT;

INSERT INTO meta VALUES ('journal-head', '{"end":0,"hash":"${"0".repeat(64)}","sequence":0,"start":0}');
INSERT INTO meta VALUES ('closed', '1');
`;

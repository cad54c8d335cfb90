import { hash } from "node:crypto";
import type { Database } from "../../storage/database.ts";
import { text } from "../../storage/rows.ts";
import { noteWordsSchema } from "./note-words.ts";

/** The condition of a node that its properties hold an address, as org-contacts writes them. A superset: the words may stand elsewhere in the row. */
export const hasAddress = `instr(body, '"EMAIL":') + instr(body, '"PHONE":') + instr(body, '"IBAN":') > 0`;

/** The condition of a node that its properties name the folder of its attachments; a superset, too. */
export const hasFolder = `instr(body, '"DIR":') + instr(body, '"ATTACH_DIR":') > 0`;

/** SQLite's application ID of a notes index: "PPix" in ASCII. */
export const indexApplicationId = 0x50506978;

/**
 * The tables of an index. Offsets, which change whenever text above them grows, are in `places`, one row for each file: for each node, in the order of the text, its number
 * and four offsets. `id` is the ID of a node among all files; `key`, its ID within its own file, and
 * `place`, its place ID, are null where they are the same as the one before. `hashes` is two SHA-256: of the
 * node, and of its words where it has any. What most nodes and timestamps have is left out of their JSON.
 */
const indexSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE files (
  number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, modified TEXT NOT NULL, changed TEXT NOT NULL,
  inode TEXT NOT NULL, digest TEXT NOT NULL, hash TEXT NOT NULL, setup TEXT NOT NULL, problem TEXT, places BLOB NOT NULL
) STRICT;
CREATE INDEX files_with_setup ON files (path) WHERE instr(setup, '/') > 0;
CREATE TABLE nodes (
  number INTEGER PRIMARY KEY, file INTEGER NOT NULL, parent INTEGER, id TEXT NOT NULL, id_number INTEGER NOT NULL, key TEXT, place TEXT,
  title TEXT NOT NULL, print TEXT NOT NULL, hashes BLOB NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX nodes_by_id ON nodes (id_number);
CREATE INDEX nodes_by_file ON nodes (file);
CREATE INDEX nodes_by_parent ON nodes (parent) WHERE parent IS NOT NULL;
CREATE INDEX nodes_with_key ON nodes (key) WHERE key IS NOT NULL;
CREATE INDEX nodes_with_address ON nodes (number) WHERE ${hasAddress};
CREATE INDEX nodes_with_folder ON nodes (number) WHERE ${hasFolder};
CREATE TABLE open_tags (tag TEXT NOT NULL, node INTEGER NOT NULL, PRIMARY KEY (tag, node)) STRICT, WITHOUT ROWID;
CREATE INDEX open_tags_by_node ON open_tags (node);
CREATE TABLE stamps (
  node INTEGER NOT NULL, role TEXT NOT NULL, time TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, headline TEXT NOT NULL
) STRICT;
CREATE INDEX stamps_by_node ON stamps (node);
CREATE INDEX stamps_by_day ON stamps (last, first);
CREATE TABLE links (
  type TEXT NOT NULL, target TEXT NOT NULL, node INTEGER NOT NULL, begin INTEGER NOT NULL, PRIMARY KEY (type, target, node, begin)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_node ON links (node);
${noteWordsSchema}
`;

/** The version of an index. An index with another schema has another version and is rebuilt. Raise `reading` when the content that is read from files changes. */
export const indexVersion: number = Number.parseInt(
  hash("sha256", `reading 12${indexSchema}`).slice(0, 7),
  16,
);

/** Turns a database into an empty index. */
export function makeSchema(database: Database): void {
  database.transaction("unforced", () => {
    const tables = database
      .all(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'",
      )
      .map((row) => text(row, "name"));
    for (const table of tables) database.script(`DROP TABLE IF EXISTS "${table.replaceAll('"', '""')}"`);
    database.script(
      `${indexSchema}; PRAGMA application_id = ${indexApplicationId}; PRAGMA user_version = ${indexVersion}`,
    );
  });
}

/**
 * Gives the disk back what an emptied index took. An index that was made without automatic vacuum gets it.
 */
export function shrinkEmptied(database: Database): void {
  database.script("PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint");
}

/** Gives the disk back the pages that writing many nodes left free. */
export function shrinkFilled(database: Database): void {
  database.script("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint");
}

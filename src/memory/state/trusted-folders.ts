import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { text } from "../storage/rows.ts";

/** The folders whose files the owner said to be their own. */
export type TrustedFolders = {
  /** Stores the owner's trust in the folder with this identity at a real path. */
  readonly trust: (path: string, identity: string) => Promise<void>;
  /** Ends the trust in the folder at a path; false where there was none. */
  readonly distrust: (path: string) => Promise<boolean>;
  /** The identity of the trusted folder at a path; null where none is trusted. */
  readonly identityOf: (path: string) => Promise<string | null>;
  /** The paths at which the folder with this identity was trusted. */
  readonly withIdentity: (identity: string) => Promise<readonly string[]>;
  /** Takes the trust at a path, and below it, along to another path. */
  readonly move: (from: string, to: string) => Promise<void>;
};

/** The table of trusted folders. */
export const trustedFoldersTable = `
CREATE TABLE trusted_folders (path TEXT PRIMARY KEY, identity TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The trusted folders of a database. */
export function openTrustedFolders(database: Database, clock: Clock): TrustedFolders {
  return {
    trust: async (path, identity) =>
      database.forced(() => {
        database.run(
          "INSERT OR REPLACE INTO trusted_folders (path, identity, at) VALUES (?, ?, ?)",
          path,
          identity,
          clock(),
        );
      }),
    distrust: async (path) =>
      database.forced(() => database.run("DELETE FROM trusted_folders WHERE path = ?", path) > 0),
    identityOf: async (path) => {
      const row = database.get("SELECT identity FROM trusted_folders WHERE path = ?", path);
      return row === undefined ? null : text(row, "identity");
    },
    withIdentity: async (identity) =>
      database
        .all("SELECT path FROM trusted_folders WHERE identity = ? ORDER BY at DESC", identity)
        .map((row) => text(row, "path")),
    move: async (from, to) =>
      database.forced(() => {
        database.run(
          `UPDATE OR REPLACE trusted_folders SET path = ?2 || substr(path, length(?1) + 1)
           WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/'`,
          from,
          to,
        );
      }),
  };
}

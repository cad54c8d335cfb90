import type { Database } from "../storage/database.ts";

/**
 * The tables of chat services. They are made when the first one is used: a program that knows none ignores
 * them.
 */
const chatTables = `
CREATE TABLE IF NOT EXISTS chat_inbox (
  number INTEGER PRIMARY KEY, service TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, turn TEXT, at INTEGER NOT NULL,
  body TEXT, UNIQUE (service, id)
) STRICT;
CREATE INDEX IF NOT EXISTS chat_inbox_open ON chat_inbox (service, number) WHERE state IN ('new', 'begun');
CREATE TABLE IF NOT EXISTS chat_outbox (
  number INTEGER PRIMARY KEY, service TEXT NOT NULL, key TEXT NOT NULL, chat TEXT NOT NULL, state TEXT NOT NULL, message TEXT,
  reason TEXT, at INTEGER NOT NULL, body TEXT, UNIQUE (service, key)
) STRICT;
CREATE INDEX IF NOT EXISTS chat_outbox_open ON chat_outbox (service, number) WHERE state IN ('waiting', 'sending');
CREATE TABLE IF NOT EXISTS chat_pairings (
  service TEXT NOT NULL, chat TEXT NOT NULL, sender TEXT NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (service, chat, sender)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chat_marks (
  service TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (service, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chat_cards (
  number INTEGER PRIMARY KEY, service TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (service, id)
) STRICT;
`;

/** The database once its tables of chats are there. */
export type ChatDatabase = {
  /** Null where there are none: then nothing was kept. */
  readonly reading: () => Database | null;
  /** Makes them where there are none. */
  readonly writing: () => Database;
};

/** Makes the tables when something is first written. */
export function openChatDatabase(database: Database): ChatDatabase {
  const made = { tables: false };
  const look = (): boolean => {
    made.tables ||= database.get("SELECT 1 FROM sqlite_schema WHERE name = 'chat_marks'") !== undefined;
    return made.tables;
  };
  return {
    reading: () => (look() ? database : null),
    writing() {
      if (!look()) database.transaction("forced", () => database.script(chatTables));
      return database;
    },
  };
}

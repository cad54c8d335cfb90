import type { Label } from "../../signal/label.ts";
import type { Turn } from "../../signal/turn.ts";
import { dayWords } from "../search/day-words.ts";
import { openTextTable, textTableSchema } from "../search/text-table.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { integer, integerOrNull, json, type Row, text, textOrNull } from "../storage/rows.ts";
import { type TranscriptEntry, transcriptOf } from "./transcript.ts";

/** What was said in all sessions. It outlives undo and rollback: they take back what was done, not what was said. */
export type SessionMemory = {
  /** The entries that answer a question best, best first; before them those that it names by the id of an entry or a turn. */
  readonly search: (query: string, limit: number) => Promise<readonly TranscriptEntry[]>;
  readonly get: (id: string) => Promise<TranscriptEntry | null>;
};

/** Files entries, as a part of the transaction that it is called in. What is there already stays as it is; what is labelled secret is not kept. */
export type AddEntries = (entries: readonly TranscriptEntry[]) => void;

/** The tables of session memory. */
export const sessionMemorySchema = `
CREATE TABLE said (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, position INTEGER NOT NULL, turn TEXT, speaker TEXT NOT NULL, at INTEGER,
  text TEXT NOT NULL, label TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX said_in_session ON said (session, position);
CREATE INDEX said_by_turn ON said (turn, position) WHERE turn IS NOT NULL;
${textTableSchema("said_words")}`;

/** The id of a turn or an entry, as an id of either is made: with four hyphens. */
const idLike = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?::\d+)?/g;

/** Opens the session memory of a database. */
export function openSessionMemory(database: Database): SessionMemory & {
  readonly file: AddEntries;
  readonly fileTurn: (turn: Turn) => void;
  /** Takes all that was said in a turn out again, as a part of the transaction that it is called in. */
  readonly forgetSaid: (turn: string) => void;
} {
  const words = openTextTable(database, "said_words");
  const fileEntry = (entry: TranscriptEntry): void => {
    const place = database.get(
      "SELECT coalesce(max(position), 0) + 1 AS place FROM said WHERE session = ?",
      entry.session,
    );
    const position = place === undefined ? 1 : integer(place, "place");
    const added = database.run(
      "INSERT OR IGNORE INTO said (id, session, position, turn, speaker, at, text, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ...[entry.id, entry.session, position, entry.turn, entry.speaker, entry.at, entry.text],
      JSON.stringify(entry.label),
    );
    if (added === 0) return;
    const row = database.get("SELECT number FROM said WHERE id = ?", entry.id);
    if (row === undefined) throw new Error(`what was said was not kept: ${entry.id}`);
    words.put({
      number: integer(row, "number"),
      title: "",
      text: entry.text,
      tags: "",
      properties: entry.at === null ? "" : dayWords(entry.at),
      author: namesOf(entry.speaker),
      group: entry.session,
      position,
    });
  };
  /** What a query names by the id of an entry or of a turn. */
  const named = (query: string): readonly Row[] =>
    (query.match(idLike) ?? []).flatMap((id) =>
      database.all(
        "SELECT * FROM said WHERE id = ? UNION SELECT * FROM said WHERE turn = ? ORDER BY position",
        id,
        id,
      ),
    );
  const file: AddEntries = (entries) => {
    for (const entry of entries) if (entry.label.secrecy !== "secret" && entry.text !== "") fileEntry(entry);
  };
  return {
    file,
    fileTurn: (turn) => file(transcriptOf(turn)),
    forgetSaid(turn) {
      for (const row of database.all("SELECT number FROM said WHERE turn = ?", turn)) {
        words.remove(integer(row, "number"));
      }
      database.run("DELETE FROM said WHERE turn = ?", turn);
    },
    search: async (query, limit) => {
      const found = words
        .search(query, limit)
        .flatMap(({ number }) => database.all("SELECT * FROM said WHERE number = ?", number));
      const all = new Map([...named(query), ...found].map((row) => [text(row, "id"), row]));
      return [...all.values()].slice(0, Math.max(0, limit)).map(entryOf);
    },
    get: async (id) => {
      const row = database.get("SELECT * FROM said WHERE id = ?", id);
      return row === undefined ? null : entryOf(row);
    },
  };
}

/** By what words a question means somebody: one about what "I" said means the owner. */
function namesOf(speaker: string): string {
  if (speaker === "owner") return "I me my mine";
  if (speaker === "agent") return "you your yours";
  return speaker === "other" ? "" : speaker;
}

/** Session memory of nothing but what is filed in it, gone when it is closed: for measuring how well is found what was said. */
export function openTemporarySessionMemory(): Pick<SessionMemory, "search"> &
  Disposable & { readonly file: AddEntries } {
  const database = openDatabase(":memory:", "write");
  database.script(sessionMemorySchema);
  const { search, file } = openSessionMemory(database);
  return {
    search,
    file: (entries) => database.transaction("unforced", () => file(entries)),
    [Symbol.dispose]: () => database.close(),
  };
}

function entryOf(row: Row): TranscriptEntry {
  return {
    id: text(row, "id"),
    session: text(row, "session"),
    turn: textOrNull(row, "turn"),
    speaker: text(row, "speaker"),
    at: integerOrNull(row, "at"),
    text: text(row, "text"),
    label: json<Label>(row, "label"),
  };
}

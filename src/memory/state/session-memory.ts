import { isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import { dayWords } from "../search/day-words.ts";
import { openTextTable, type TextTable, textTableSchema } from "../search/text-table.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { integer, integerOrNull, json, type Row, text, textOrNull } from "../storage/rows.ts";
import type { TranscriptEntry } from "./transcript.ts";

/** With `publicOnly`, private entries take no part in a search, as if they were not there. */
export type SessionSearchOptions = { readonly publicOnly?: boolean };

/** The transcript of all sessions. Undo and rollback leave it: they undo what was done, not what was said. */
export type SessionMemory = {
  /** The best entries for a question, best first. Entries that the question names by the id of an entry or a turn come before them. */
  readonly search: (
    query: string,
    limit: number,
    options?: SessionSearchOptions,
  ) => Promise<readonly FoundEntry[]>;
  readonly get: (id: string) => Promise<TranscriptEntry | null>;
  /** The number of the last entry, and how often entries were removed since the state was opened. */
  readonly extent: () => Promise<{ readonly last: number; readonly removals: number }>;
  /** The entries after a number, in order, at most so many. */
  readonly after: (number: number, limit: number) => Promise<readonly NumberedEntry[]>;
};

/** An entry with its number. Later entries have higher numbers. */
export type NumberedEntry = TranscriptEntry & { readonly number: number };

/**
 * A result of a search. The score is comparable within one search; it is null for an entry that the question
 * names. `isContext`: it has nothing of the question itself, but stands near entries that have.
 */
export type FoundEntry = TranscriptEntry & { readonly score: number | null; readonly isContext: boolean };

/** Adds entries, as a part of the caller's transaction. An entry that is there already stays as it is; a secret entry is not added. */
export type AddEntries = (entries: readonly TranscriptEntry[]) => void;

/** The tables of session memory. */
export const sessionMemorySchema = `
CREATE TABLE said (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, position INTEGER NOT NULL, turn TEXT, speaker TEXT NOT NULL, at INTEGER,
  text TEXT NOT NULL, label TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX said_in_session ON said (session, position);
CREATE INDEX said_by_turn ON said (turn, position) WHERE turn IS NOT NULL;
${textTableSchema("said_words", "plain")}`;

/** The id of a turn or an entry: a UUID, and for an entry a number behind it. */
const idLike = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?::\d+)?/g;

/** The session memory of a database. Every change is a part of the caller's transaction. */
export class SessionMemoryStore {
  readonly #database: Database;
  readonly #words: TextTable;
  #removals = 0;

  /** `clock` says what "last week" means in a search. */
  constructor(database: Database, clock: () => number = Date.now) {
    this.#database = database;
    this.#words = openTextTable(database, { name: "said_words", form: "plain", clock });
  }

  readonly add: AddEntries = (entries) => {
    for (const entry of entries) {
      if (entry.label.secrecy !== "secret" && entry.text !== "") this.#addEntry(entry);
    }
  };

  /** Removes the entries of a turn. */
  remove(turn: string): void {
    this.#removals += 1;
    for (const row of this.#database.all("SELECT number FROM said WHERE turn = ?", turn)) {
      this.#words.remove(integer(row, "number"));
    }
    this.#database.run("DELETE FROM said WHERE turn = ?", turn);
  }

  /** Reads the words of all entries again, after the way of reading has changed. */
  readAgain(): void {
    for (const { number } of this.#database.all("SELECT number FROM said")) {
      const row = this.#database.get("SELECT * FROM said WHERE number = ?", number ?? null);
      if (row !== undefined) this.#putWords(integer(row, "number"), integer(row, "position"), entryOf(row));
    }
  }

  async search(
    query: string,
    limit: number,
    { publicOnly = false }: SessionSearchOptions = {},
  ): Promise<readonly FoundEntry[]> {
    const read = (number: number): readonly Row[] =>
      this.#database.all("SELECT * FROM said WHERE number = ?", number);
    const isVisible = (row: Row): boolean => !publicOnly || isPublic(row);
    const filter = async (numbers: readonly number[]): Promise<readonly number[]> =>
      numbers.filter((number) => read(number).every(isPublic));
    const hits = await this.#words.search(query, limit, publicOnly ? filter : null);
    const found = hits.flatMap(({ number, score, isContext }) =>
      read(number).map((row) => ({ ...entryOf(row), score, isContext })),
    );
    const named = this.#named(query)
      .filter(isVisible)
      .map((row) => ({ ...entryOf(row), score: null, isContext: false }));
    const all = new Map([...found, ...named].map((entry) => [entry.id, entry]));
    const ids = new Set([...named, ...found].map(({ id }) => id));
    return [...ids].flatMap((id) => all.get(id) ?? []).slice(0, Math.max(0, limit));
  }

  extent(): { readonly last: number; readonly removals: number } {
    const row = this.#database.get("SELECT coalesce(max(number), 0) AS last FROM said");
    return { last: row === undefined ? 0 : integer(row, "last"), removals: this.#removals };
  }

  after(number: number, limit: number): readonly NumberedEntry[] {
    return this.#database
      .all("SELECT * FROM said WHERE number > ? ORDER BY number LIMIT ?", number, limit)
      .map((row) => ({ ...entryOf(row), number: integer(row, "number") }));
  }

  get(id: string): TranscriptEntry | null {
    const row = this.#database.get("SELECT * FROM said WHERE id = ?", id);
    return row === undefined ? null : entryOf(row);
  }

  #addEntry(entry: TranscriptEntry): void {
    const last = this.#database.get(
      "SELECT coalesce(max(position), 0) AS position FROM said WHERE session = ?",
      entry.session,
    );
    const position = (last === undefined ? 0 : integer(last, "position")) + 1;
    const row = this.#database.get(
      "INSERT OR IGNORE INTO said (id, session, position, turn, speaker, at, text, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
      entry.id,
      entry.session,
      position,
      entry.turn,
      entry.speaker,
      entry.at,
      entry.text,
      JSON.stringify(entry.label),
    );
    if (row !== undefined) this.#putWords(integer(row, "number"), position, entry);
  }

  #putWords(number: number, position: number, entry: TranscriptEntry): void {
    this.#words.put({
      number,
      title: "",
      text: entry.text,
      tags: "",
      properties: entry.at === null ? "" : dayWords(entry.at),
      days: "",
      author: namesOf(entry.speaker),
      group: entry.session,
      position,
    });
  }

  /** The entries that a query names by the id of an entry or of a turn. */
  #named(query: string): readonly Row[] {
    return (query.match(idLike) ?? []).flatMap((id) =>
      this.#database.all(
        "SELECT * FROM said WHERE id = ? UNION SELECT * FROM said WHERE turn = ? ORDER BY position",
        id,
        id,
      ),
    );
  }
}

/** The words by which a question means a speaker: "I" means the owner. */
function namesOf(speaker: string): string {
  if (speaker === "owner") return "I me my mine";
  if (speaker === "agent") return "you your yours";
  return speaker === "other" ? "" : speaker;
}

/** A session memory that holds only what is added to it, and is gone when it is closed: for measuring recall, and for turns that wait for the index. */
export function openTemporarySessionMemory(): Pick<SessionMemory, "search"> &
  Disposable & { readonly file: AddEntries } {
  const database = openDatabase(":memory:", "write");
  database.script(sessionMemorySchema);
  const memory = new SessionMemoryStore(database);
  return {
    search: (query, limit, options) => memory.search(query, limit, options),
    file: (entries) => database.transaction("unforced", () => memory.add(entries)),
    [Symbol.dispose]: () => database.close(),
  };
}

function isPublic(row: Row): boolean {
  return isNoMoreSecretThan(json<Label>(row, "label"), "public");
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

import type { Database } from "../storage/database.ts";
import { makeRowCounter } from "./count-rows.ts";
import { findRows, isTableEmpty } from "./find-rows.ts";
import { readQuestion } from "./question.ts";
import { makeWordReader, plainWords } from "./read-words.ts";
import { titleWord } from "./title-word.ts";

/** What is searched of one row. Only the stems of its words are kept here: the text itself stays with its owner. Never give it secret text. */
export type TextRow = {
  /** The owner's number of it, 1 or more. */
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  /** Whatever else it is found by, at half weight: names and values, days in words, titles above it. */
  readonly properties: string;
  /** Whose words they are, in all names for them: a question with one of the names means them. Empty where nobody is to be named. */
  readonly author: string;
  /** What it is a part of, such as a file or a session: rows of a group that answers well are likelier to answer. */
  readonly group: string;
  /** Its place in the group where the rows follow each other, as what is said in a conversation: the words of the rows before and after count too. Null where they do not. */
  readonly position: number | null;
};

/** A row whose words were read already, maybe in another thread. */
export type StemmedRow = Pick<TextRow, "group" | "position"> & {
  /** Of title, text, tags and properties, each joined by spaces; after those of the title they stand once more as words of a title. */
  readonly stems: readonly string[];
  readonly size: number;
  readonly authors: readonly string[];
  readonly asks: boolean;
  readonly dated: boolean;
};

/** A row that was found; the score grows with its relevance, and is comparable within one search only. */
export type TextHit = { readonly number: number; readonly score: number };

/**
 * A searchable table of a database. `schema` makes it, once. A row is put whole, anew or again, and removed by its number, inside the caller's transaction.
 * `search` takes any text and gives the best rows first, of equal ones the newer (by number) first; a text without words finds nothing.
 */
export type TextTable = {
  readonly put: (row: TextRow) => void;
  /** For a number that has no row. */
  readonly addStemmed: (number: number, row: StemmedRow) => void;
  readonly remove: (number: number) => void;
  readonly search: (query: string, limit: number) => readonly TextHit[];
};

/** Makes the tables of a text table of that name (lower-case letters and underscores). */
export function textTableSchema(name: string): string {
  return `
CREATE TABLE ${name}_rows (
  number INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, tags TEXT NOT NULL, properties TEXT NOT NULL, size INTEGER NOT NULL,
  author TEXT NOT NULL, part_of TEXT NOT NULL, position INTEGER, asks INTEGER NOT NULL, dated INTEGER NOT NULL
) STRICT;
CREATE INDEX ${name}_places ON ${name}_rows (part_of, position) WHERE position IS NOT NULL;
CREATE TABLE ${name}_authors (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE ${name}_size (one INTEGER PRIMARY KEY, number INTEGER NOT NULL, size INTEGER NOT NULL) STRICT;
INSERT INTO ${name}_size VALUES (1, 0, 0);
CREATE VIRTUAL TABLE ${name} USING fts5 (title, text, tags, properties, content = '${name}_rows', content_rowid = 'number', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
CREATE VIRTUAL TABLE ${name}_terms USING fts5vocab ('${name}', 'row');
INSERT INTO ${name} (${name}, rank) VALUES ('rank', 'bm25(2.0, 1.0, 1.5, 0.5)');
INSERT INTO ${name} (${name}, rank) VALUES ('secure-delete', 1);
`;
}

/**
 * Gathers so many bytes of words before they are sorted and written, as for all rows of a large table, rather than 1 MB. Nothing is lost by it: what a
 * transaction gathered is written with it, so small ones take no more than before.
 */
export function bufferWords(database: Database, name: string, bytes: number): void {
  database.script(`INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${bytes})`);
}

/** Reads the words of rows, as `put` does. */
export function makeRowStemmer(): (row: Omit<TextRow, "number">) => StemmedRow {
  const read = makeWordReader();
  return ({ title, text, tags, properties, author, group, position }) => {
    const columns = [title, text, tags, `${properties}\n${author}`].map(read);
    const [titled = [], ...others] = columns;
    return {
      stems: [[...titled, ...titled.map(titleWord)], ...others].map((words) => words.join(" ")),
      size: columns.reduce((sum, words) => sum + words.length, 0),
      authors: plainWords(author),
      group,
      position,
      asks: endsAsking(text),
      dated: mentionsTime(text),
    };
  };
}

/** Opens the text table of that name. */
export function openTextTable(database: Database, name: string): TextTable {
  const read = makeWordReader();
  const readRow = makeRowStemmer();
  const count = makeRowCounter(database, name);
  const named = new Set<string>();
  const noteAuthor = (author: string): void => {
    if (named.has(author)) return;
    database.run(`INSERT OR IGNORE INTO ${name}_authors (name) VALUES (?)`, author);
    named.add(author);
  };
  const remove = (number: number): void => removeRow(database, name, number);
  const addStemmed: TextTable["addStemmed"] = (
    number,
    { stems, size, authors, group, position, asks, dated },
  ) => {
    for (const author of authors) noteAuthor(author);
    database.run(
      `INSERT INTO ${name} (rowid, title, text, tags, properties) VALUES (?, ?, ?, ?, ?)`,
      number,
      ...stems,
    );
    database.run(
      `INSERT INTO ${name}_rows (number, title, text, tags, properties, size, author, part_of, position, asks, dated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      number,
      ...stems,
      size,
      authors.join(" "),
      group,
      position,
      asks ? 1 : 0,
      dated ? 1 : 0,
    );
    // Without its row named, SQLite would write what FTS5 holds back before each of these.
    database.run(`UPDATE ${name}_size SET number = number + 1, size = size + ? WHERE one = 1`, size);
  };
  return {
    put(row) {
      remove(row.number);
      addStemmed(row.number, readRow(row));
    },
    addStemmed,
    remove,
    search(query, limit) {
      const place = { database, name, read, count, limit };
      return limit < 1 || isTableEmpty(place) ? [] : findRows(place, readQuestion(query, read));
    },
  };
}

/** Removes the row of a number from a table, if it has one. */
function removeRow(database: Database, name: string, number: number): void {
  const columns = "title, text, tags, properties";
  if (database.get(`SELECT 1 FROM ${name}_rows WHERE number = ?`, number) === undefined) return;
  database.run(
    `INSERT INTO ${name} (${name}, rowid, ${columns}) SELECT 'delete', number, ${columns} FROM ${name}_rows WHERE number = ?`,
    number,
  );
  database.run(
    `UPDATE ${name}_size SET number = number - 1, size = size - (SELECT size FROM ${name}_rows WHERE number = ?) WHERE one = 1`,
    number,
  );
  database.run(`DELETE FROM ${name}_rows WHERE number = ?`, number);
}

const ofTime =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|earlier|soon|weeks?|weekend|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b/i;

/** Whether a text says when something was. */
function mentionsTime(text: string): boolean {
  return ofTime.test(text);
}

/** Whether a text ends with a question. */
function endsAsking(text: string): boolean {
  return /\?["'”)]*\s*(?:\[[^\]]*\]\s*)?$/u.test(text);
}

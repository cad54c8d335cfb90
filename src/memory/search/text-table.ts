import type { Database } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";
import { makeRowCounter } from "./count-rows.ts";
import { daysIn } from "./days-in.ts";
import { type FoundRow, findRows, isTableEmpty, type RowFilter } from "./find-rows.ts";
import { readQuestion } from "./question.ts";
import { makeWordReader, plainWords } from "./read-words.ts";
import { indexedStems, packStems, storedStems } from "./stored-stems.ts";
import { makeSynonymFinder, type SynonymFinder } from "./synonyms.ts";
import { dayTerm } from "./vocabulary.ts";

/** The searchable text of a row. Only the stems of its words are stored; the text itself stays with the caller. It must not hold secret text. */
export type TextRow = {
  /** The caller's number of the row, 1 or more. */
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  /** Further text at half weight: property names and values, days in words, titles of ancestors. */
  readonly properties: string;
  /** Further text of which only the days count (`2026-03-12`), such as when it was written. */
  readonly days: string;
  /** All names of the author. A question with one of these names prefers the author's rows. Empty for no author. */
  readonly author: string;
  /** The file or session that the row is a part of. Rows of a group with good matches score higher. */
  readonly group: string;
  /** Its position in the group if the rows form a sequence, such as a conversation: then the words of neighbouring rows count too. Null otherwise. */
  readonly position: number | null;
};

/** A row whose stems were computed before, for example in another thread. */
export type StemmedRow = Pick<TextRow, "group" | "position"> & {
  /**
   * The stems of title, text, tags and properties, each joined by spaces. The days of the row follow the
   * stems of the properties.
   */
  readonly stems: readonly string[];
  readonly size: number;
  readonly authors: readonly string[];
  readonly asks: boolean;
  readonly dated: boolean;
};

/** A match. A higher score is better; scores are comparable within one search only, relevance between searches too. */
export type TextHit = FoundRow;

/**
 * A searchable table of a database, created by `textTableSchema`. Rows are added, replaced and removed within the caller's transaction.
 * `search` accepts any text and returns the best rows first, among equal ones the higher number first. A text without words matches nothing. Rows that the filter takes out take no part.
 */
export type TextTable = {
  readonly put: (row: TextRow) => void;
  /** Adds a row under a number that has none yet. */
  readonly addStemmed: (number: number, row: StemmedRow) => void;
  readonly remove: (number: number) => void;
  readonly search: (query: string, limit: number, filter?: RowFilter | null) => Promise<readonly TextHit[]>;
};

/**
 * How a table keeps the stems of its rows beside the index. `plain`: as they are indexed. `packed`:
 * compressed, in a third of the room, for a table that can be made anew: what follows from a row's stems
 * (title forms, reversed words) is computed again when the row is removed.
 */
export type RowForm = "plain" | "packed";

const stemColumns: Readonly<Record<RowForm, string>> = {
  plain: "title TEXT NOT NULL, text TEXT NOT NULL, tags TEXT NOT NULL, properties TEXT NOT NULL",
  packed: "stems BLOB NOT NULL",
};

/** The schema of a text table of this name (lower-case letters and underscores). */
export function textTableSchema(name: string, form: RowForm): string {
  const content = form === "plain" ? `content = '${name}_rows', content_rowid = 'number'` : "content = ''";
  return `
CREATE TABLE ${name}_rows (
  number INTEGER PRIMARY KEY, ${stemColumns[form]}, size INTEGER NOT NULL,
  author TEXT NOT NULL, part_of TEXT NOT NULL, position INTEGER, asks INTEGER NOT NULL, dated INTEGER NOT NULL
) STRICT;
CREATE INDEX ${name}_places ON ${name}_rows (part_of, position) WHERE position IS NOT NULL;
CREATE TABLE ${name}_authors (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE ${name}_size (one INTEGER PRIMARY KEY, number INTEGER NOT NULL, size INTEGER NOT NULL) STRICT;
INSERT INTO ${name}_size VALUES (1, 0, 0);
CREATE VIRTUAL TABLE ${name} USING fts5 (title, text, tags, properties, ${content}, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
CREATE VIRTUAL TABLE ${name}_terms USING fts5vocab ('${name}', 'row');
INSERT INTO ${name} (${name}, rank) VALUES ('rank', 'bm25(2.0, 1.0, 1.5, 0.5)');
INSERT INTO ${name} (${name}, rank) VALUES ('secure-delete', 1);
`;
}

/**
 * Sets how many bytes of words are buffered before they are sorted and written (1 MB by default), for filling a large table. Nothing is lost by it: a
 * transaction writes what it has buffered, so small transactions cost no more than before.
 */
export function bufferWords(database: Database, name: string, bytes: number): void {
  database.script(`INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${bytes})`);
}

/** Makes a function that computes the stems of a row as `put` does. */
export function makeRowStemmer(): (row: Omit<TextRow, "number">) => StemmedRow {
  const read = makeWordReader("text");
  return ({ title, text, tags, properties, days, author, group, position }) => {
    const columns = [title, text, tags, `${properties}\n${author}`].map(read);
    const named = daysIn(`${title}\n${text}\n${properties}\n${days}`).map(dayTerm);
    return {
      stems: columns.map((words, at) => (at === 3 ? [...words, ...named] : words).join(" ")),
      size: columns.reduce((sum, words) => sum + words.length, 0),
      authors: plainWords(author),
      group,
      position,
      asks: endsAsking(text),
      dated: mentionsTime(text),
    };
  };
}

/** The columns of the index. */
const columns = "title, text, tags, properties";

/** Opens the text table of this name, which has rows of this form. */
export function openTextTable(
  database: Database,
  given: { readonly name: string; readonly form: RowForm; readonly clock: () => number },
): TextTable {
  return new StoredTextTable(database, given);
}

class StoredTextTable implements TextTable {
  readonly #database: Database;
  readonly #name: string;
  readonly #form: RowForm;
  readonly #readWords = makeWordReader();
  readonly #stemRow = makeRowStemmer();
  readonly #countRows: (term: string) => number;
  readonly #knownAuthors = new Set<string>();
  readonly #clock: () => number;
  #synonyms: SynonymFinder | null = null;

  constructor(database: Database, { name, form, clock }: Parameters<typeof openTextTable>[1]) {
    this.#database = database;
    this.#name = name;
    this.#form = form;
    this.#clock = clock;
    this.#countRows = makeRowCounter(database, name);
  }

  put(row: TextRow): void {
    this.remove(row.number);
    this.addStemmed(row.number, this.#stemRow(row));
  }

  addStemmed(number: number, row: StemmedRow): void {
    const name = this.#name;
    const { stems, size, authors, group, position, asks, dated } = row;
    for (const author of authors) this.#addAuthor(author);
    const indexed = indexedStems(stems);
    this.#database.run(`INSERT INTO ${name} (rowid, ${columns}) VALUES (?, ?, ?, ?, ?)`, number, ...indexed);
    const [stored, values] =
      this.#form === "plain" ? [columns, indexed] : (["stems", [packStems(stems)]] as const);
    this.#database.run(
      `INSERT INTO ${name}_rows (number, size, author, part_of, position, asks, dated, ${stored}) VALUES (?, ?, ?, ?, ?, ?, ?${", ?".repeat(values.length)})`,
      number,
      size,
      authors.join(" "),
      group,
      position,
      asks ? 1 : 0,
      dated ? 1 : 0,
      ...values,
    );
    // The WHERE clause matters: without it, SQLite would make FTS5 write its buffer before each of these updates.
    this.#database.run(`UPDATE ${name}_size SET number = number + 1, size = size + ? WHERE one = 1`, size);
  }

  remove(number: number): void {
    const name = this.#name;
    const row = this.#database.get(`SELECT * FROM ${name}_rows WHERE number = ?`, number);
    if (row === undefined) return;
    const stems = storedStems(row);
    this.#database.run(
      `INSERT INTO ${name} (${name}, rowid, ${columns}) VALUES ('delete', ?, ?, ?, ?, ?)`,
      number,
      ...(this.#form === "plain" ? stems : indexedStems(stems)),
    );
    const size = integer(row, "size");
    this.#database.run(`UPDATE ${name}_size SET number = number - 1, size = size - ? WHERE one = 1`, size);
    this.#database.run(`DELETE FROM ${name}_rows WHERE number = ?`, number);
  }

  async search(query: string, limit: number, filter: RowFilter | null = null): Promise<readonly TextHit[]> {
    if (limit < 1 || isTableEmpty(this.#database, this.#name)) return [];
    this.#synonyms ??= makeSynonymFinder(this.#readWords);
    const target = {
      database: this.#database,
      name: this.#name,
      read: this.#readWords,
      count: this.#countRows,
      synonyms: this.#synonyms,
      limit,
      filter,
    };
    return findRows(target, readQuestion(query, this.#readWords, this.#clock()));
  }

  #addAuthor(author: string): void {
    if (this.#knownAuthors.has(author)) return;
    this.#database.run(`INSERT OR IGNORE INTO ${this.#name}_authors (name) VALUES (?)`, author);
    this.#knownAuthors.add(author);
  }
}

const ofTime =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|earlier|soon|weeks?|weekend|months?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b/i;

/** True for a text that mentions a time. */
function mentionsTime(text: string): boolean {
  return ofTime.test(text);
}

/** True for a text that ends with a question. */
function endsAsking(text: string): boolean {
  return /\?["'”)]*\s*(?:\[[^\]]*\]\s*)?$/u.test(text);
}

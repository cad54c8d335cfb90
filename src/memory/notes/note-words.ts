import type { Database } from "../database.ts";
import { integer, type Row } from "../rows.ts";
import type { NoteWords } from "./note-node.ts";

type Put = NoteWords & { readonly number: number; readonly author: string; readonly group: string };

/** The words of the nodes, by the numbers of their rows. */
export const noteWords = {
  schema: `
CREATE VIRTUAL TABLE note_words USING fts5 (
  title, text, tags, properties, near, far, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
`,
  put(database: Database, { number, title, text, tags, properties, near, far }: Put): void {
    database.run(
      "INSERT OR REPLACE INTO note_words (rowid, title, text, tags, properties, near, far) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[number, title, text, tags, properties, near, far],
    );
  },
  remove(database: Database, number: number): void {
    database.run("DELETE FROM note_words WHERE rowid = ?", number);
  },
  search(
    database: Database,
    query: string,
    limit: number,
  ): readonly { readonly number: number; readonly score: number }[] {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])];
    if (words.length === 0) return [];
    return database
      .all(
        "SELECT rowid AS number, -bm25(note_words, 2.0, 1.0, 1.5, 0.5, 0.4, 0.2) AS score FROM note_words WHERE note_words MATCH ? ORDER BY score DESC LIMIT ?",
        words.map((word) => `"${word}"`).join(" OR "),
        limit,
      )
      .map((row) => ({ number: integer(row, "number"), score: scoreOf(row) }));
  },
};

function scoreOf({ score }: Row): number {
  return typeof score === "number" ? score : 0;
}

import { bufferWords, openTextTable, type TextTable, textTableSchema } from "../../search/text-table.ts";
import type { Database } from "../../storage/database.ts";

const name = "note_words";

/** The schema of the table of the nodes' words. */
export const noteWordsSchema: string = textTableSchema(name, "packed");

/** Opens the table of the nodes' words, by row number. */
export function openNoteWords(database: Database, clock: () => number): TextTable {
  return openTextTable(database, { name, form: "packed", clock });
}

/** Prepares the table for many nodes at once: the words of a whole slice are buffered and written together. */
export function bufferNoteWords(database: Database): void {
  bufferWords(database, name, 8_388_608);
}

import { bufferWords, openTextTable, type TextTable, textTableSchema } from "../../search/text-table.ts";
import type { Database } from "../../storage/database.ts";

const name = "note_words";

/** Makes the table in which the words of the nodes are found. */
export const noteWordsSchema: string = textTableSchema(name);

/** The words of the nodes, by the numbers of their rows. */
export function openNoteWords(database: Database): TextTable {
  return openTextTable(database, name);
}

/** Readies the words for many nodes at once: those of a whole slice are written together. Bytes. */
export function bufferNoteWords(database: Database): void {
  bufferWords(database, name, 8_388_608);
}

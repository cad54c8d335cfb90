import type { SQLOutputValue } from "node:sqlite";

/** A row as SQLite gives it. */
export type Row = { readonly [column: string]: SQLOutputValue };

/** Reads a column of text. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`column ${column} holds no text`);
  return value;
}

/** Reads a column of text or null. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Reads a column of integers. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`column ${column} holds no number`);
  return value;
}

/** Reads a column of integers or null. */
export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

/** Reads a column of bytes or null. */
export function bytesOrNull(row: Row, column: string): Uint8Array | null {
  const value = row[column];
  if (value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`column ${column} holds no bytes`);
}

/** Reads a column of JSON that this program wrote, with the type with which it was written. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}

/** Reads a column that holds a word of a closed set; throws at any other word. */
export function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = text(row, column);
  const found = words.find((known) => known === value);
  if (found === undefined) throw new TypeError(`column ${column} holds the unknown word ${value}`);
  return found;
}

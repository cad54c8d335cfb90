import type { SQLOutputValue } from "node:sqlite";

/** One row as SQLite gives it. */
export type Row = { readonly [column: string]: SQLOutputValue };

/** A column that the schema says is text. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`column ${column} holds no text`);
  return value;
}

/** A column that is text or null. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A column that the schema says is an integer. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`column ${column} holds no number`);
  return value;
}

/** A column that is an integer or null. */
export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

/** A column that is bytes or null. */
export function bytesOrNull(row: Row, column: string): Uint8Array | null {
  const value = row[column];
  if (value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`column ${column} holds no bytes`);
}

/** A column that holds the JSON of a value of ours, which was written with the type that it is read with. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T;
}

/** A column that is text of a closed set of words; any other word throws. */
export function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = text(row, column);
  const found = words.find((known) => known === value);
  if (found === undefined) throw new TypeError(`column ${column} holds the unknown word ${value}`);
  return found;
}

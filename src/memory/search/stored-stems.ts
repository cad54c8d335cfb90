import { deflateRawSync, inflateRawSync } from "node:zlib";
import { bytesOrNull, type Row, text } from "../storage/rows.ts";
import { titleWord } from "./title-word.ts";
import { reversedWords } from "./vocabulary.ts";

/** The columns of a row under which its stems are indexed. */
const columns = ["title", "text", "tags", "properties"] as const;

/** A small state, which is set up quickly: a row has some hundred bytes. */
const packing = { windowBits: 12, memLevel: 4 };

/**
 * What is indexed for the stems of a row: title forms follow the stems of the title, and reversed words
 * those of the properties. It must give the same for a row as long as the row is stored.
 */
export function indexedStems(stems: readonly string[]): readonly string[] {
  const [title = [], body = [], tags = [], properties = []] = stems.map(wordsIn);
  return [
    [...title, ...title.map(titleWord)],
    body,
    tags,
    [...properties, ...reversedWords([...title, ...body])],
  ].map((words) => words.join(" "));
}

/** Compresses the stems of a row. */
export function packStems(stems: readonly string[]): Uint8Array {
  return deflateRawSync(stems.join("\n"), packing);
}

/**
 * The stems of a stored row by column: of a packed row as `packStems` got them, of a plain row as they are
 * indexed.
 */
export function storedStems(row: Row): readonly string[] {
  const packed = row["stems"] === undefined ? null : bytesOrNull(row, "stems");
  if (packed === null) return columns.map((column) => text(row, column));
  return inflateRawSync(packed, packing).toString().split("\n");
}

function wordsIn(column: string): readonly string[] {
  return column === "" ? [] : column.split(" ");
}

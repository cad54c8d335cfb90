import type { Database } from "../../storage/database.ts";
import { integer, json, text } from "../../storage/rows.ts";
import type { FoundStamp, NoteStamp } from "../nodes/note-node.ts";
import { decodeOffsets, type OffsetTable } from "./node-rows.ts";

type StampFile = { readonly path: string; readonly offsets: OffsetTable };

/** The stamps that may show between two days, by file, then in the order of the text. */
export function readStamps(database: Database, from: string, to: string): readonly FoundStamp[] {
  const rows = database.all(
    `SELECT stamps.body AS stamp, nodes.number, nodes.id, nodes.file, json_extract(nodes.body, '$.label') AS label, json_extract(nodes.body, '$.words') AS words,
       json_extract(nodes.body, '$.groups') AS groups
     FROM stamps JOIN nodes ON nodes.number = stamps.node WHERE last >= ? AND first <= ? ORDER BY stamps.rowid`,
    from,
    to,
  );
  const files = new Map<number, StampFile>();
  const fileOf = (number: number): StampFile => {
    const file = files.get(number) ?? readStampFile(database, number);
    files.set(number, file);
    return file;
  };
  return rows
    .map((row): FoundStamp => {
      const { path, offsets } = fileOf(integer(row, "file"));
      return {
        node: text(row, "id"),
        file: path,
        begin: offsets.get(integer(row, "number"))?.begin ?? 0,
        timestamp: json<NoteStamp["stamped"]>(row, "stamp"),
        label: json(row, "label"),
        words: text(row, "words"),
        ...(row["groups"] === null ? {} : { groups: json<readonly string[]>(row, "groups") }),
      };
    })
    .sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : one.begin - other.begin));
}

function readStampFile(database: Database, number: number): StampFile {
  const row = database.get("SELECT path, places FROM files WHERE number = ?", number) ?? {};
  return { path: text(row, "path"), offsets: decodeOffsets(row) };
}

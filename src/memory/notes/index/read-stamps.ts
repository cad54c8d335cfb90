import { originHashes } from "../../../notes/note-hashes.ts";
import type { FoundStamp, NoteStamp } from "../../../notes/note-node.ts";
import type { Database } from "../../storage/database.ts";
import { integer, oneOf, type Row, text } from "../../storage/rows.ts";
import { makeCompactJson } from "./compact-json.ts";
import { decodeOffsets, labelBasisOf, type OffsetTable } from "./node-rows.ts";

type Stamped = NoteStamp["stamped"];

const headlineJson = makeCompactJson<Stamped["headline"]>({
  todo: null,
  done: false,
  inheritedTags: [],
  localTags: [],
  priority: null,
  importance: 1000,
  effort: null,
  habit: null,
});

/** The columns of a timestamp's row. */
export type StampRow = Omit<Stamped, "headline"> & { readonly headline: string };

/** The row of a timestamp. */
export function encodeStamp({ headline, ...stamped }: Stamped): StampRow {
  return { ...stamped, headline: headlineJson.encode(headline) };
}

function decodeStamp(row: Row): Stamped {
  return {
    role: oneOf(row, "role", ["scheduled", "deadline", "plain", "range"]),
    time: text(row, "time"),
    first: text(row, "first"),
    last: text(row, "last"),
    headline: headlineJson.decode(row, "headline"),
  };
}

type StampFile = { readonly path: string; readonly offsets: OffsetTable };

/** The stamps that may show between two days, by file, then in the order of the text. */
export function readStamps(database: Database, from: string, to: string): readonly FoundStamp[] {
  const rows = database.all(
    `SELECT role, time, first, last, headline, nodes.number, nodes.id, nodes.file, nodes.title, nodes.body, nodes.hashes
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
      const basis = labelBasisOf(row);
      const { label, groups } = basis;
      return {
        node: text(row, "id"),
        file: path,
        begin: offsets.get(integer(row, "number"))?.begin ?? 0,
        timestamp: decodeStamp(row),
        label,
        hashes: originHashes(basis),
        ...(groups === undefined ? {} : { groups }),
      };
    })
    .sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : one.begin - other.begin));
}

function readStampFile(database: Database, number: number): StampFile {
  const row = database.get("SELECT path, places FROM files WHERE number = ?", number) ?? {};
  return { path: text(row, "path"), offsets: decodeOffsets(row) };
}

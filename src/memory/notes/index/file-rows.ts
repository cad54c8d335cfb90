import { integrityRank } from "../../../notes/id-claims.ts";
import type { NoteFile, NoteLink, NoteNode, ParsedFile, ParsedNode } from "../../../notes/note-node.ts";
import { makeRowStemmer, type StemmedRow, type TextRow } from "../../search/text-table.ts";
import { nodeFingerprint } from "./node-fingerprint.ts";
import { encodeNodeBody, hashesOf } from "./node-rows.ts";
import { encodeStamp, type StampRow } from "./read-stamps.ts";

/** A node in the form of its database rows: strings and numbers only, which are cheap to pass between threads. */
export type NodeRow = Pick<NoteNode, "parent" | "begin" | "lineEnd" | "sectionEnd" | "end"> & {
  /** Its ID within its own file, and its place ID. */
  readonly key: string;
  readonly placeId: string;
  readonly title: string;
  readonly print: string;
  readonly body: string;
  /** In hex. */
  readonly hashes: string;
  /** The rank of its label where several nodes have its ID. */
  readonly rank: number;
  /** Its words, with or without their stems. An unchanged node needs no stems. */
  readonly words: Omit<TextRow, "number"> | StemmedRow;
  /** The tags of an open node; empty for a done one. */
  readonly openTags: readonly string[];
  readonly stamps: readonly StampRow[];
  readonly links: readonly Omit<NoteLink, "node">[];
};

/** A file with the rows of its nodes. */
export type FileRows = { readonly file: NoteFile; readonly nodes: readonly NodeRow[] };

/** Converts a parsed file to rows, without the stems of its words. */
export function toFileRows({ file, nodes }: ParsedFile): FileRows {
  return { file, nodes: nodes.map((read) => toNodeRow(read, wordsOf(read))) };
}

/** Makes a function that converts parsed files to rows, with the stems of their words. */
export function makeFileRowsReader(): (read: ParsedFile) => FileRows {
  const readRow = makeRowStemmer();
  return ({ file, nodes }) => ({
    file,
    nodes: nodes.map((read) => toNodeRow(read, readRow(wordsOf(read)))),
  });
}

function toNodeRow(read: ParsedNode, words: NodeRow["words"]): NodeRow {
  const { node, placeId, stamps, links } = read;
  const { parent, begin, lineEnd, sectionEnd, end, title, done, localTags } = node;
  const body = encodeNodeBody(node);
  return {
    parent,
    begin,
    lineEnd,
    sectionEnd,
    end,
    key: node.id,
    placeId,
    body,
    hashes: hashesOf(node),
    rank: integrityRank(node.label),
    title: title.toWellFormed(),
    print: nodeFingerprint(read, body),
    words,
    openTags: done || localTags.length === 0 ? [] : [...new Set(localTags)],
    stamps: stamps.map(({ stamped }) => encodeStamp(stamped)),
    links: links.map(({ type, target, begin: at }) => ({ type, target: target.toWellFormed(), begin: at })),
  };
}

function wordsOf({ node, searchFields }: ParsedNode): Omit<TextRow, "number"> {
  const { title, text, tags, properties, ancestorTitles, fileTitle, days } = searchFields;
  return {
    title: title.toWellFormed(),
    text: text.toWellFormed(),
    tags: tags.toWellFormed(),
    properties: [properties, ancestorTitles, fileTitle].join("\n").toWellFormed(),
    days: days.toWellFormed(),
    author: "",
    group: node.file,
    position: null,
  };
}

import { decodeOrgText, hasRawBytes, scanOutline } from "#org";
import type { NoteFile, NoteStat, ParsedFile } from "./note-node.ts";
import { readNodes } from "./read-nodes.ts";

/** A file's bytes as the index takes them. */
export function parseNoteFile(found: NoteStat, bytes: Uint8Array, digest: string): ParsedFile {
  if (bytes.includes(0)) return unparsedNoteFile(found, digest, notText);
  const headings = countOccurrences(bytes, "\n*");
  if (headings > mostHeadings) return unparsedNoteFile(found, digest, tooManyHeadings(headings));
  const decoded = decodeOrgText(bytes);
  const nodes = readNodes(found.path, scanOutline(decoded.text));
  const problem = hasRawBytes(decoded) ? notUtf8 : null;
  return { file: { ...found, digest, hash: nodes[0]?.node.hash ?? "", problem }, nodes };
}

/** A file of which nothing is taken. */
export function unparsedNoteFile(found: NoteStat, digest: string, problem: string): ParsedFile {
  const file: NoteFile = { ...found, digest, hash: "", problem };
  return { file, nodes: [] };
}

/** Files of more headings than this are not read as notes: their nodes would take the memory of all others. */
const mostHeadings = 200_000;

function tooManyHeadings(count: number): string {
  return `It has too many headings to be read as notes (${count}; at most ${mostHeadings}). Split it, or move it out of the notes folder.`;
}

/** How often a mark of ASCII stands in some bytes. */
export function countOccurrences(bytes: Uint8Array, mark: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let found = 0;
  for (let at = buffer.indexOf(mark); at !== -1; at = buffer.indexOf(mark, at + mark.length)) found += 1;
  return found;
}

const notText = "It is not text (it holds zero bytes). It is not read.";
const notUtf8 =
  "Some of its bytes are not UTF-8; it is read all the same, with those characters missing. Save it as UTF-8 in your editor.";

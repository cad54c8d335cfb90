import { decodeOrgText, hasRawBytes, scanOutline } from "#org";
import type { NoteFile, NoteStat, ParsedFile } from "./note-node.ts";
import { readNodes } from "./read-nodes.ts";

/** Parses the bytes of a file into its nodes. A file that is not text, or has too many headings, has none. */
export function parseNoteFile(found: NoteStat, bytes: Uint8Array, digest: string): ParsedFile {
  if (bytes.includes(0)) return unparsedNoteFile(found, digest, notText);
  const headings = countOccurrences(bytes, "\n*");
  if (headings > mostHeadings) return unparsedNoteFile(found, digest, tooManyHeadings(headings));
  const decoded = decodeOrgText(bytes);
  const nodes = readNodes(found.path, scanOutline(decoded.text));
  const problem = hasRawBytes(decoded) ? notUtf8 : null;
  return { file: { ...found, digest, hash: nodes[0]?.node.hash ?? "", problem }, nodes };
}

/** The entry of a file that is not parsed, with the reason. */
export function unparsedNoteFile(found: NoteStat, digest: string, problem: string): ParsedFile {
  const file: NoteFile = { ...found, digest, hash: "", problem };
  return { file, nodes: [] };
}

/** Files with more headings are not parsed: their nodes would take too much memory. */
const mostHeadings = 200_000;

function tooManyHeadings(count: number): string {
  return `It has too many headings to be read as notes (${count}; at most ${mostHeadings}). Split it, or move it out of the notes folder.`;
}

/** Counts the occurrences of an ASCII string in bytes. */
export function countOccurrences(bytes: Uint8Array, mark: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let found = 0;
  for (let at = buffer.indexOf(mark); at !== -1; at = buffer.indexOf(mark, at + mark.length)) found += 1;
  return found;
}

const notText =
  "It is not text (it holds zero bytes), so it is not read. Move it out of the notes folder, or give it another ending than .org.";
const notUtf8 =
  "Some of its bytes are not UTF-8. It is read without those characters. Save it as UTF-8 in your editor.";

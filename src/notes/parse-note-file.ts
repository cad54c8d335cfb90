import {
  decodeOrgText,
  hasRawBytes,
  type OrgVariables,
  type Outline,
  type ReadSetupFile,
  scanOutline,
} from "#org";
import { bottomLabel, joinLabels, type Label } from "../signal/label.ts";
import { readDenoteName } from "./denote-name.ts";
import type { NoteFile, NoteStat, ParsedFile, ParsedNode } from "./note-node.ts";
import { readNodes } from "./read-nodes.ts";

/** The setup files of one note, and the variables that hold for it. */
export type SetupReader = {
  readonly read: ReadSetupFile;
  readonly variables: OrgVariables;
  /** What the files and variables were that the note was read with. */
  readonly seen: () => string;
  /** Why not all of them were read, for the owner; null where they were. */
  readonly problem: () => string | null;
};

/** The contents of a file with its directory entry. */
export type ReadNote = { readonly found: NoteStat; readonly bytes: Uint8Array; readonly digest: string };

/** Parses the bytes of a file into its nodes. A file that is not text, or has too many headings, has none. */
export function parseNoteFile({ found, bytes, digest }: ReadNote, setup: SetupReader): ParsedFile {
  const unparsed = { digest, setup: setup.seen() };
  if (bytes.includes(0)) return unparsedNoteFile(found, { ...unparsed, problem: notText });
  const headings = countOccurrences(bytes, "\n*");
  if (headings > mostHeadings)
    return unparsedNoteFile(found, { ...unparsed, problem: tooManyHeadings(headings) });
  const decoded = decodeOrgText(bytes);
  const read = readNodes(found.path, outlineOf(found.path, decoded.text, setup));
  const unknown = setup.problem();
  const nodes = unknown === null ? read : read.map(asPrivate);
  const hash = nodes[0]?.node.hash ?? "";
  const problems = [...(hasRawBytes(decoded) ? [notUtf8] : []), ...(unknown === null ? [] : [unknown])];
  return {
    file: {
      ...found,
      digest,
      hash: unknown === null ? hash : `${hash} ${unknown}`,
      setup: setup.seen(),
      problem: problems.length === 0 ? null : problems.join(" "),
    },
    nodes,
  };
}

/** The outline of a note. The keywords in a file name of Denote's are file tags. */
export function outlineOf(
  path: string,
  text: string,
  { read, variables }: Pick<SetupReader, "read" | "variables">,
): Outline {
  const outline = scanOutline(text, { readSetup: read, variables });
  const { settings } = outline;
  const tags = readDenoteName(path)?.tags.filter((tag) => !settings.tags.includes(tag)) ?? [];
  return tags.length === 0
    ? outline
    : { ...outline, settings: { ...settings, tags: [...settings.tags, ...tags] } };
}

const privateLabel: Label = { ...bottomLabel, secrecy: "private" };

/** A node of a file whose tags are not all known. */
function asPrivate(read: ParsedNode): ParsedNode {
  return { ...read, node: { ...read.node, label: joinLabels(read.node.label, privateLabel) } };
}

/** The entry of a file that is not parsed, with the reason. */
export function unparsedNoteFile(
  found: NoteStat,
  parts: Pick<NoteFile, "digest" | "setup"> & { readonly problem: string },
): ParsedFile {
  const file: NoteFile = { ...found, ...parts, hash: "" };
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

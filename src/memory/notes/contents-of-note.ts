import { decodeOrgText, hasRawBytes } from "../org/org-text.ts";
import { scanOutline } from "../org/scan-outline.ts";
import type { NoteFile, ReadFile } from "./note-node.ts";
import { readNodes } from "./read-nodes.ts";
import type { FoundFile } from "./walk-notes.ts";

/** A file's bytes as the index takes them. */
export function readContents(found: FoundFile, bytes: Uint8Array, digest: string): ReadFile {
  if (bytes.includes(0)) return unreadContents(found, digest, notText);
  const decoded = decodeOrgText(bytes);
  const nodes = readNodes(found.path, scanOutline(decoded.text));
  const problem = hasRawBytes(decoded) ? notUtf8 : null;
  return { file: { ...found, digest, hash: nodes[0]?.node.hash ?? "", problem }, nodes };
}

/** A file of which nothing is taken. */
export function unreadContents(found: FoundFile, digest: string, problem: string): ReadFile {
  const file: NoteFile = { ...found, digest, hash: "", problem };
  return { file, nodes: [] };
}

const notText = "It is not text (it holds zero bytes). It is not read.";
const notUtf8 =
  "Some of its bytes are not UTF-8; it is read all the same, with those characters missing. Save it as UTF-8 in your editor.";

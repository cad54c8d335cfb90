import { hash } from "node:crypto";
import type { ReadNode } from "./note-node.ts";

/** A fingerprint of all that the index keeps of a node but where it stands in its file: the same print, nothing to write. */
export function nodePrint({ node, placeId, searched, stamps, links }: ReadNode): string {
  const { begin: _begin, lineEnd: _lineEnd, sectionEnd: _sectionEnd, end: _end, path: _path, ...kept } = node;
  return hash("sha256", JSON.stringify([kept, placeId, searched, stamps, links]), "base64url").slice(0, 22);
}

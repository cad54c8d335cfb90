import { hash } from "node:crypto";
import type { ParsedNode } from "../../../notes/note-node.ts";

/**
 * A fingerprint of everything that the index stores about a node except its offsets. An equal fingerprint means that nothing is to be written. `body` is the body of its row;
 * the hash covers the node's own text, so only inherited values are added.
 */
export function nodeFingerprint({ node, placeId, searchFields, stamps }: ParsedNode, body: string): string {
  const added = JSON.stringify([
    placeId,
    node.id,
    node.parent,
    node.hash,
    node.words,
    node.title,
    searchFields.ancestorTitles,
    searchFields.fileTitle,
    stamps,
  ]);
  return hash("sha256", `${body}${added}`, "base64url").slice(0, 22);
}

import { hash } from "node:crypto";
import type { ParsedNode } from "../nodes/note-node.ts";

/**
 * A fingerprint of all that the index keeps of a node but where it stands in its file: the same print, nothing to write. `body` is its row's; its hash covers
 * the node's own text, so that only what comes from elsewhere is added.
 */
export function nodeFingerprint({ node, searchFields, stamps }: ParsedNode, body: string): string {
  const added = JSON.stringify([
    node.id,
    node.parent,
    node.title,
    searchFields.ancestorTitles,
    searchFields.fileTitle,
    stamps,
  ]);
  return hash("sha256", `${body}${added}`, "base64url").slice(0, 22);
}

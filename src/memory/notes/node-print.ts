import { hash } from "node:crypto";
import type { ReadNode } from "./note-node.ts";

/** A fingerprint of all that the index keeps of a node but where it stands in its file: the same print, nothing to write. `body` is its row's. */
export function nodePrint({ node, searched, stamps, links }: ReadNode, body: string): string {
  const { title, text, tags, properties, near, far } = searched;
  const rest = stamps.length + links.length === 0 ? "" : JSON.stringify([stamps, links]);
  const words = `${node.id}\0${node.parent ?? ""}\0${node.title}\0${title}\0${tags}\0${properties}\0${near}\0${far}`;
  return hash("sha256", `${body}\0${words}\0${rest}\0${text}`, "base64url").slice(0, 22);
}

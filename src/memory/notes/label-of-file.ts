import { bottom, join, type Label } from "../../signal/label.ts";
import { decodeOrgText } from "../org/org-text.ts";
import { scanOutline } from "../org/scan-outline.ts";
import { type LabelParts, labelOfNodes } from "./labelled-index.ts";
import type { NoteNode } from "./note-node.ts";
import { readNodes } from "./read-nodes.ts";

/** The label of an Org file by what stands in it: its tags, what is or was encrypted, and where its nodes' words came from. That of any other file is the neutral one. */
export async function labelOfFile(path: string, bytes: Uint8Array, parts: LabelParts): Promise<Label> {
  return holdsOrg(path) ? labelOfNodes(nodesIn(bytes), parts) : bottom;
}

/** The label of an Org file that was not looked into: the most careful one. */
export const labelUnread: Label = join(bottom, { integrity: "untrusted", secrecy: "secret", sources: [] });

/** The hashes of those nodes' words that a change brings into an Org file: what is to be remembered of where a text came from is kept by them. */
export function newWords(path: string, before: Uint8Array | null, after: Uint8Array): readonly string[] {
  if (!holdsOrg(path)) return [];
  const old = new Set(before === null ? [] : nodesIn(before).map(({ words }) => words));
  return [...new Set(nodesIn(after).map(({ words }) => words))].filter(
    (words) => words !== "" && !old.has(words),
  );
}

/** Autosaves, backups and conflicts hold what the notes hold. */
function holdsOrg(path: string): boolean {
  return /\.org(?:_archive)?(?:#|~|\.~\d+~)?$/.test(path);
}

function nodesIn(bytes: Uint8Array): readonly NoteNode[] {
  return readNodes("a.org", scanOutline(decodeOrgText(bytes).text)).map(({ node }) => node);
}

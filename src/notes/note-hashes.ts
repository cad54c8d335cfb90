import { hash } from "node:crypto";
import type { NoteNode } from "./note-node.ts";
import { originProperty } from "./origin-property.ts";

/** The parts of a node that its hash covers. */
export type HashedNode = {
  readonly id: string;
  readonly type: "file" | "headline";
  readonly attributes: Readonly<Record<string, string>>;
  /** The node's own text with its heading. */
  readonly content: string;
  /** Hashes of the child nodes, in the order of the text. */
  readonly children: readonly string[];
};

/** SHA-256 in hex over id, type, sorted attributes, content and the hashes of the children. Equal subtrees have equal hashes. */
export function nodeHash({ id, type, attributes, content, children }: HashedNode): string {
  const sorted = Object.keys(attributes)
    .sort()
    .map((name) => [name, attributes[name]]);
  return hash("sha256", `${JSON.stringify([id, type, sorted, children])}\n${content}`);
}

/** Blank space other than a single space. */
const blank = /[^\S ]\s*| \s+/g;

/** SHA-256 in hex of a title and a body, independent of line breaks and of the place in the file; empty for no words. */
export function wordsHash(title: string, body: string): string {
  const words = `${title}\n${body}`.replaceAll(blank, " ").trim();
  return words === "" ? "" : hash("sha256", words);
}

/** What an entry has beside the words of its author. */
export type EntryDetails = Pick<
  NoteNode,
  "title" | "words" | "todo" | "priority" | "localTags" | "properties"
> & { readonly times?: string };

/** What the recorded origins of an entry are found by: the hash of its words, and those of its details. */
export function originHashes(entry: EntryDetails): readonly string[] {
  const hashes = detailHashes(entry);
  return entry.words === "" ? hashes : [entry.words, ...hashes];
}

/**
 * A hash for each property, tag and keyword of an entry, and for its planning and logbook together. Each
 * counts by itself under the title, so that a change of one of them says nothing about the others.
 */
export function detailHashes(entry: Omit<EntryDetails, "words">): readonly string[] {
  const { title, todo, priority, localTags, properties, times } = entry;
  const details = [
    ...Object.entries(properties).filter(([name]) => name !== originProperty),
    ...localTags.map((tag) => [" tag", tag]),
    ...(todo === null ? [] : [[" todo", todo]]),
    ...(priority === null ? [] : [[" priority", priority]]),
    ...(times === undefined ? [] : [[" times", times]]),
  ];
  return details.map((detail) => hash("sha256", JSON.stringify([title, ...detail])));
}

/** A short hash of the planning and the logbook of an entry, independent of line breaks and indentation. */
export function timesHash(text: string): string {
  return hash("sha256", text.replaceAll(blank, " ").trim(), "base64url").slice(0, 16);
}

/** The Merkle root over files: the hash of their paths, byte digests and tree hashes, sorted by path. */
export function merkleRoot(
  files: readonly { readonly path: string; readonly digest: string; readonly hash: string }[],
): string {
  const leaves = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => JSON.stringify([file.path, file.digest, file.hash]));
  return hash("sha256", leaves.join("\n"));
}

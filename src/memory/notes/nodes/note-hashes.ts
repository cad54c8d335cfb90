import { hash } from "node:crypto";

/** What the hash of a node is made from. */
export type HashedNode = {
  readonly id: string;
  readonly type: "file" | "headline";
  readonly attributes: Readonly<Record<string, string>>;
  /** All of its own text, its heading included. */
  readonly content: string;
  /** Hashes of the nodes right below it, in the order of the text. */
  readonly children: readonly string[];
};

/** SHA-256 in hex over id, type, sorted attributes, content and the children's hashes: a subtree that is the same has the same. */
export function nodeHash({ id, type, attributes, content, children }: HashedNode): string {
  const sorted = Object.keys(attributes)
    .sort()
    .map((name) => [name, attributes[name]]);
  return hash("sha256", `${JSON.stringify([id, type, sorted, children])}\n${content}`);
}

/** Any blank space but a single space, which is left alone. */
const blank = /[^\S ]\s*| \s+/g;

/** SHA-256 in hex of some words, however they are broken into lines and wherever they stand; empty for none. */
export function wordsHash(title: string, body: string): string {
  const words = `${title}\n${body}`.replaceAll(blank, " ").trim();
  return words === "" ? "" : hash("sha256", words);
}

/** The Merkle root over files: by path, each by its bytes and its tree. */
export function merkleRoot(
  files: readonly { readonly path: string; readonly digest: string; readonly hash: string }[],
): string {
  const leaves = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => JSON.stringify([file.path, file.digest, file.hash]));
  return hash("sha256", leaves.join("\n"));
}

import type { FoundStamp, NoteFile, NoteLink, NoteNode, ParsedFile } from "../nodes/note-node.ts";

/** What a change of a file did to its nodes, by id. */
export type NodeChanges = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** A match; the score grows with its relevance, and is comparable within one search only. */
export type NoteHit = { readonly id: string; readonly score: number };

/**
 * The index of the notes folder: disposable, made from the files alone, and never the only place of anything.
 * Narrow and asynchronous, so that a server's database can stand behind it. Secret text is never given to it.
 */
export type NoteIndex = {
  /** By path. */
  readonly files: () => Promise<readonly NoteFile[]>;
  readonly file: (path: string) => Promise<NoteFile | null>;
  /** Takes files anew, each whole, in one transaction. Only what differs is written. */
  readonly replace: (files: readonly ParsedFile[]) => Promise<NodeChanges>;
  /** Notes that files were written without a change of their bytes. */
  readonly touch: (files: readonly NoteFile[]) => Promise<void>;
  readonly remove: (paths: readonly string[]) => Promise<NodeChanges>;
  /** Forgets everything. */
  readonly clear: () => Promise<void>;
  readonly node: (id: string) => Promise<NoteNode | null>;
  /** All nodes that have an `:ID:`, in any order. The most trusted has it for its id, of those the first by path; the others have ids by place. */
  readonly claimants: (id: string) => Promise<readonly NoteNode[]>;
  readonly nodesInFile: (path: string) => Promise<readonly NoteNode[]>;
  /** In the order of the text; null: the files, by path. */
  readonly children: (id: string | null) => Promise<readonly NoteNode[]>;
  /** All nodes, file by file, in batches. */
  readonly all: () => AsyncIterable<NoteNode>;
  readonly count: () => Promise<number>;
  /** How many nodes some files have together; a path that is not known has none. */
  readonly countInFiles: (paths: readonly string[]) => Promise<number>;
  /** Any text is a query; one without words finds nothing. Best first. */
  readonly search: (query: string, limit: number) => Promise<readonly NoteHit[]>;
  /** Stamps that may show between two days (`YYYY-MM-DD`, both included): `first <= to` and `last >= from`. By file, then in the order of the text. */
  readonly stampsFor: (from: string, to: string) => Promise<readonly FoundStamp[]>;
  /** Links to a target, such as an `id:`. */
  readonly linksTo: (type: string, target: string) => Promise<readonly NoteLink[]>;
  /** Nodes that are tagged so themselves, not done. */
  readonly openNodesWithTag: (tag: string) => Promise<readonly NoteNode[]>;
  /** Merkle root over all files, in hex: the same bytes under the same paths give the same root, whatever the history. */
  readonly root: () => Promise<string>;
  readonly close: () => Promise<void>;
};

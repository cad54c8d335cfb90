import type { EntryDetails } from "../../../notes/note-hashes.ts";
import type { FoundStamp, NoteFile, NoteLink, NoteNode, ParsedFile } from "../../../notes/note-node.ts";

/** The IDs of the nodes that a change of files added, changed and removed. */
export type NodeChanges = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** What the label of a node depends on. */
export type LabelBasis = Pick<NoteNode, "label" | "tags" | "groups"> & EntryDetails;

/** Says for each node whether it may be searched. What may not takes no part in the search: nothing is found in it, and nothing is learned from it. */
export type NodeFilter = (nodes: readonly LabelBasis[]) => Promise<readonly boolean[]>;

/** A match. A higher score is better; scores are comparable within one search only. */
export type NoteHit = {
  readonly id: string;
  readonly score: number;
  /** How much of the query the node has, from 0 to 1; comparable between searches. */
  readonly relevance: number;
  /** True for a node that has nothing of the query itself, but shares words with nodes that have. */
  readonly isContext: boolean;
};

/**
 * The index of the notes folder. It is disposable: it is built from the files alone and never the only place of anything.
 * It is narrow and asynchronous, so that a database server could implement it. It never receives secret text.
 */
export type NoteIndex = {
  /** By path. */
  readonly files: () => Promise<readonly NoteFile[]>;
  readonly file: (path: string) => Promise<NoteFile | null>;
  /** The files that name setup files, by path. */
  readonly filesWithSetup: () => Promise<readonly NoteFile[]>;
  /** Replaces files as a whole, in one transaction. Only differences are written. */
  readonly replace: (files: readonly ParsedFile[]) => Promise<NodeChanges>;
  /** Records new directory entries of files whose bytes have not changed. */
  readonly touch: (files: readonly NoteFile[]) => Promise<void>;
  readonly remove: (paths: readonly string[]) => Promise<NodeChanges>;
  /** Empties the index. */
  readonly clear: () => Promise<void>;
  readonly node: (id: string) => Promise<NoteNode | null>;
  /** All nodes that have an `:ID:`, in any order. The most trusted one, and among equals the first by path, has it as its ID; the others have place IDs. */
  readonly claimants: (id: string) => Promise<readonly NoteNode[]>;
  readonly nodesInFile: (path: string) => Promise<readonly NoteNode[]>;
  /** The child nodes in the order of the text; for null the files, by path. */
  readonly children: (id: string | null) => Promise<readonly NoteNode[]>;
  /** All nodes, file by file. */
  readonly all: () => AsyncIterable<NoteNode>;
  readonly count: () => Promise<number>;
  /** The number of nodes in these files together. An unknown path counts as 0. */
  readonly countInFiles: (paths: readonly string[]) => Promise<number>;
  /** The best matches first. Any text is a valid query; a text without words matches nothing. */
  readonly search: (query: string, limit: number, filter?: NodeFilter | null) => Promise<readonly NoteHit[]>;
  /** Timestamps that may show between two days (`YYYY-MM-DD`, both included): `first <= to` and `last >= from`. By file, then in the order of the text. */
  readonly stampsFor: (from: string, to: string) => Promise<readonly FoundStamp[]>;
  /** The links to a target. For `id`, the target is the ID. */
  readonly linksTo: (type: string, target: string) => Promise<readonly NoteLink[]>;
  /** Nodes that are not done and have the tag themselves, not by inheritance. */
  readonly openNodesWithTag: (tag: string) => Promise<readonly NoteNode[]>;
  /** Nodes whose properties may hold an address: `EMAIL`, `PHONE` or `IBAN`. */
  readonly nodesWithAddress: () => Promise<readonly NoteNode[]>;
  /** Nodes whose properties may name the folder of their attachments: `DIR` or `ATTACH_DIR`. */
  readonly nodesWithFolder: () => Promise<readonly NoteNode[]>;
  /** The nodes whose title holds these words as they stand, those that begin with them first, then the shortest. */
  readonly titled: (words: string, limit: number) => Promise<readonly NoteNode[]>;
  /** The nodes whose whole title stands in a text, in any case of ASCII letters, the longest titles first. */
  readonly titledIn: (text: string, limit: number) => Promise<readonly NoteNode[]>;
  /** Merkle root over all files in hex. The same bytes under the same paths give the same root, whatever the history. */
  readonly root: () => Promise<string>;
  readonly close: () => Promise<void>;
};

import type { AgendaTimestamp, LocatedTimestamp } from "#org";
import type { Label } from "../../../signal/label.ts";

/**
 * A node of the user's Org files as the index knows it: a headline, or a file (level 0). It holds what is looked up by; its text is in its file.
 * `hash` is SHA-256 over id, type, sorted attributes, content and the children's hashes, so that an unchanged subtree keeps its hash.
 */
export type NoteNode = {
  /** Its `:ID:`, where that is unique; else the file's path, `::`, and its outline path (with `~2` … for the second of a name). */
  readonly id: string;
  /** The node above: a headline, or the file; null for a file. */
  readonly parent: string | null;
  /** Path of its file, relative to the notes folder, with `/`. */
  readonly file: string;
  readonly level: number;
  /** UTF-16 offsets in the file's text (see `OrgText`): its start, the end of its heading line, of its own section, and of its subtree. */
  readonly begin: number;
  readonly lineEnd: number;
  readonly sectionEnd: number;
  readonly end: number;
  readonly title: string;
  /** Titles of the headlines above it. */
  readonly path: readonly string[];
  readonly todo: string | null;
  readonly done: boolean;
  readonly priority: string | null;
  /** Inherited ones included. */
  readonly tags: readonly string[];
  readonly localTags: readonly string[];
  /** The group tags of its file that its tags are members of; none, no field. */
  readonly groups?: readonly string[];
  /** Its own drawer's, names in upper case. */
  readonly properties: Readonly<Record<string, string>>;
  readonly category: string;
  readonly aliases: readonly string[];
  readonly refs: readonly string[];
  /** Under a COMMENT or an archive tag. */
  readonly commented: boolean;
  readonly archived: boolean;
  /** `private` under a privacy tag, `secret` for what is or was encrypted; `untrusted` where its text came from elsewhere. */
  readonly label: Label;
  readonly hash: string;
  /** SHA-256 of its own words wherever they stand: a copy has the same. What is remembered of where a text came from is kept by it. */
  readonly words: string;
};

/** One time that a node is at, for the agenda; nothing in it moves when the text elsewhere in the file changes. Nodes under a COMMENT or an archive tag have none. */
export type NoteStamp = { readonly node: string; readonly stamped: AgendaTimestamp };

/** The same with what its node and file say about it. */
export type FoundStamp = LocatedTimestamp & {
  readonly node: string;
  readonly groups?: readonly string[];
  readonly label: Label;
  /** Hash of the node's words. */
  readonly words: string;
};

/** One link out of a node: `id:`, a file, a citation key, a URL, … */
export type NoteLink = {
  readonly node: string;
  readonly type: string;
  readonly target: string;
  /** UTF-16 offset from the node's `begin`, so that a change elsewhere in the file moves nothing. */
  readonly begin: number;
};

/** A file as it was when it was read. */
export type NoteFile = {
  readonly path: string;
  readonly size: number;
  /** Times of its last writing and of its last change of any kind, in nanoseconds since the epoch, and its inode, as decimal numbers. */
  readonly modified: string;
  readonly changed: string;
  readonly inode: string;
  /** SHA-256 of its bytes, in hex; empty where they were not read. */
  readonly digest: string;
  /** Hash of its file node; empty where there is none. */
  readonly hash: string;
  /** What is wrong with it, for the person: it is not UTF-8, too large, …; null if nothing. */
  readonly problem: string | null;
};

/** The directory entry of a notes file, as `stat` shows it. */
export type NoteStat = Pick<NoteFile, "path" | "size" | "modified" | "changed" | "inode">;

/** What a node is searched by; nothing of a secret text is in it. */
export type SearchFields = {
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly properties: string;
  /** The titles above it, the nearest last; and that of its file. */
  readonly ancestorTitles: string;
  readonly fileTitle: string;
};

/** A node with all that is looked up by. */
export type ParsedNode = {
  readonly node: NoteNode;
  /** The id that it has where another file has its `:ID:` already: by its place. */
  readonly placeId: string;
  readonly searchFields: SearchFields;
  readonly stamps: readonly NoteStamp[];
  readonly links: readonly NoteLink[];
};

/** A file with its nodes, in the order of the text: the file's own first. None where it could not be read. */
export type ParsedFile = { readonly file: NoteFile; readonly nodes: readonly ParsedNode[] };

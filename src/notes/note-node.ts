import type { AgendaTimestamp, LocatedTimestamp } from "#org";
import type { Label } from "../signal/label.ts";

/**
 * A node of the owner's Org files as the index knows it: a headline, or a file (level 0). Its text stays in its file.
 * `hash` is SHA-256 over id, type, sorted attributes, content and the children's hashes, so an unchanged subtree keeps its hash.
 */
export type NoteNode = {
  /** Its `:ID:`, where that is unique; otherwise the file's path, `::`, and its outline path (with `~2` … for the second headline of a name). */
  readonly id: string;
  /** The parent node: a headline or the file; null for a file. */
  readonly parent: string | null;
  /** Path of its file from the first notes folder, with `/` as the separator (`noteName`). */
  readonly file: string;
  readonly level: number;
  /** UTF-16 offsets in the file's text (see `OrgText`): the start of the node, and the ends of its heading line, its own section and its subtree. */
  readonly begin: number;
  readonly lineEnd: number;
  readonly sectionEnd: number;
  readonly end: number;
  readonly title: string;
  /** Titles of the headlines above it, outermost first. */
  readonly path: readonly string[];
  readonly todo: string | null;
  readonly done: boolean;
  readonly priority: string | null;
  /** All tags, inherited ones included. */
  readonly tags: readonly string[];
  readonly localTags: readonly string[];
  /** The group tags of its file that its tags belong to; left out where there are none. */
  readonly groups?: readonly string[];
  /** The properties of its own drawer, names in upper case. */
  readonly properties: Readonly<Record<string, string>>;
  readonly category: string;
  readonly aliases: readonly string[];
  readonly refs: readonly string[];
  /** True at or below a COMMENT keyword, and at or below an archive tag. */
  readonly commented: boolean;
  readonly archived: boolean;
  /** `private` under a privacy tag, `secret` for text that is or was encrypted; `untrusted` where the text came from elsewhere. */
  readonly label: Label;
  readonly hash: string;
  /** SHA-256 of its own words; a copy elsewhere has the same. The recorded origin of a text is stored under this hash. */
  readonly words: string;
  /** Hash of its planning and its logbook; left out where it has none. */
  readonly times?: string;
};

/** A timestamp of a node, for the agenda. It holds no offsets, so changes elsewhere in the file leave it as it is. Commented and archived nodes have none. */
export type NoteStamp = { readonly node: string; readonly stamped: AgendaTimestamp };

/** A timestamp with the details of its node and file. */
export type FoundStamp = LocatedTimestamp & {
  readonly node: string;
  readonly groups?: readonly string[];
  readonly label: Label;
  /** What the recorded origin of the node is found by. */
  readonly hashes: readonly string[];
};

/** A link out of a node: `id:`, a file, a citation key, a URL, … */
export type NoteLink = {
  readonly node: string;
  readonly type: string;
  readonly target: string;
  /** UTF-16 offset from the node's `begin`, so that changes elsewhere in the file leave it as it is. */
  readonly begin: number;
};

/** The state of a file when it was read. */
export type NoteFile = {
  readonly path: string;
  readonly size: number;
  /** mtime, ctime (nanoseconds since the epoch) and inode number, as decimal digits. */
  readonly modified: string;
  readonly changed: string;
  readonly inode: string;
  /** SHA-256 of its bytes in hex; empty where they were not read. */
  readonly digest: string;
  /** Hash of the file's node; empty where there is none. */
  readonly hash: string;
  /** What the setup files that it names were when it was read; empty where it names none. */
  readonly setup: string;
  /** A problem to report to the owner, such as an encoding other than UTF-8; null for none. */
  readonly problem: string | null;
};

/** The directory entry of a notes file, as `stat` shows it. */
export type NoteStat = Pick<NoteFile, "path" | "size" | "modified" | "changed" | "inode">;

/** The fields that a node is searched by. They hold nothing of a secret text. */
export type SearchFields = {
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly properties: string;
  /** The titles above it, nearest last, and the title of its file. */
  readonly ancestorTitles: string;
  readonly fileTitle: string;
  /** Text whose days the node is found by: when it was made, its planning, and its file's name. */
  readonly days: string;
};

/** A node with everything that the index stores about it. */
export type ParsedNode = {
  readonly node: NoteNode;
  /** The ID made from its file and outline path; it applies where another node got its `:ID:`. */
  readonly placeId: string;
  readonly searchFields: SearchFields;
  readonly stamps: readonly NoteStamp[];
  readonly links: readonly NoteLink[];
};

/** A file with its nodes in the order of the text, the file's own node first; no nodes where the file could not be read. */
export type ParsedFile = { readonly file: NoteFile; readonly nodes: readonly ParsedNode[] };

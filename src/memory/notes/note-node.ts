import type { Label } from "../../signal/label.ts";
import type { Timestamp } from "../org/timestamp.ts";

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
};

/** One time that a node is at, for the agenda. */
export type NoteStamp = {
  readonly node: string;
  readonly role: "scheduled" | "deadline" | "closed" | "plain" | "clock";
  readonly timestamp: Timestamp;
};

/** One link out of a node: `id:`, a file, a citation key, a URL, … */
export type NoteLink = {
  readonly node: string;
  readonly type: string;
  readonly target: string;
  readonly begin: number;
};

/** A file as it was when it was read. */
export type NoteFile = {
  readonly path: string;
  readonly size: number;
  /** Nanoseconds since the epoch, as a decimal number. */
  readonly modified: string;
  readonly inode: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
  /** What is wrong with it, for the person: it is not UTF-8, too large, …; null if nothing. */
  readonly problem: string | null;
};

/** A file's nodes with all that is looked up by. `words` are what is searched, per node; nothing of a secret node is in them. */
export type ReadFile = {
  readonly file: NoteFile;
  readonly nodes: readonly NoteNode[];
  readonly words: ReadonlyMap<string, string>;
  readonly stamps: readonly NoteStamp[];
  readonly links: readonly NoteLink[];
};

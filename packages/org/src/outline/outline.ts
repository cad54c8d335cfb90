import type { Range } from "../text/range.ts";
import type { Timestamp } from "../time/timestamp.ts";

/** One `TYPE(s)` state of a sequence: `key` is its fast key, `enter` and `leave` say what is logged (`@` a note, `!` a time). */
export type TodoState = {
  readonly word: string;
  readonly done: boolean;
  readonly key: string | null;
  readonly enter: "note" | "time" | null;
  readonly leave: "note" | "time" | null;
  /** The index of its `#+TODO` line, from 0. */
  readonly sequence: number;
  readonly kind: "sequence" | "type";
};

/** A group tag with its members. A search for the group finds entries with any of them. A member may be a group itself, or a `{pattern}` of tags. */
export type TagGroup = { readonly name: string; readonly members: readonly string[] };

/** What a file's own keywords set; the defaults are those of the variables, or of a plain Emacs (`TODO | DONE`). Every keyword counts, wherever it stands. */
export type FileSettings = {
  readonly todo: readonly TodoState[];
  /** `#+FILETAGS`. */
  readonly tags: readonly string[];
  /** Of `#+TAGS`, in the order of the text. */
  readonly tagGroups: readonly TagGroup[];
  /** `#+PROPERTY` lines, names in upper case, `+` appended. */
  readonly properties: ReadonlyMap<string, string>;
  readonly category: string | null;
  readonly title: string | null;
  /** `#+LINK` abbreviations. */
  readonly links: ReadonlyMap<string, string>;
  readonly archive: string | null;
  readonly startup: readonly string[];
  readonly dependsOn: readonly string[];
  /** Lowest, highest and default priority. */
  readonly priorities: { readonly highest: string; readonly lowest: string; readonly default: string };
};

/** One line of a property drawer. `name` is as written; compare in upper case. */
export type Property = Range & {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: string;
  readonly valueRange: Range;
};

/** A property drawer, from the start of `:PROPERTIES:`'s line to the end of `:END:`'s. */
export type PropertyDrawer = Range & { readonly properties: readonly Property[] };

/** A line `SCHEDULED: <…> DEADLINE: <…> CLOSED: […]` right below a heading. */
export type Planning = Range & {
  readonly scheduled: Timestamp | null;
  readonly deadline: Timestamp | null;
  readonly closed: Timestamp | null;
};

/** A `CLOCK:` line, without its line feed. `minutes` is null while it runs; `value` is null where only a duration is written. */
export type ClockLine = Range & { readonly value: Timestamp | null; readonly minutes: number | null };

/** A headline. All ranges are offsets in one text. Inherited values (tags, the category) are not included. */
export type Headline = Range & {
  /** Its place in `Outline.headlines`. */
  readonly index: number;
  /** The place of the headline above it, -1 at the top. `end` (of its range) is the end of its subtree. */
  readonly parent: number;
  readonly level: number;
  /** Where its own line ends, the line feed included. */
  readonly lineEnd: number;
  /** Where its own section ends: at the next headline of any level. */
  readonly sectionEnd: number;
  readonly todo: (Range & { readonly word: string; readonly done: boolean }) | null;
  /** The range includes the brackets. */
  readonly priority: (Range & { readonly value: string }) | null;
  readonly comment: Range | null;
  /** What is left of the line without stars, TODO word, priority, COMMENT and tags, as `org-get-heading` gives it. */
  readonly title: string;
  readonly titleRange: Range;
  /** The title in Emacs's syntax tree (`:raw-value`): if a priority stands inside the title, only the part after it. */
  readonly rawTitleRange: Range;
  /** The range includes both outer colons. */
  readonly tags: (Range & { readonly names: readonly string[] }) | null;
  readonly planning: Planning | null;
  readonly properties: PropertyDrawer | null;
  /** The `LOGBOOK` drawer (or that which the settings name), from its first line's start to its last line's end. */
  readonly logbook: Range | null;
  readonly clocks: readonly ClockLine[];
};

/** What the outline scanner finds in a file. */
export type Outline = {
  readonly text: string;
  readonly settings: FileSettings;
  /** Where the first headline begins; the text's length if there is none. */
  readonly sectionEnd: number;
  /** The drawer of the file itself. */
  readonly properties: PropertyDrawer | null;
  /** In the order of the text. */
  readonly headlines: readonly Headline[];
};

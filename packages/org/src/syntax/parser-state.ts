import type { TodoWords } from "../outline/scan-heading.ts";
import type { Range } from "../text/range.ts";
import type { BracketPairs } from "./bracket-pairs.ts";
import type { Closers } from "./closers.ts";
import type { ForwardSearch } from "./forward-search.ts";
import type { OrgNode } from "./node.ts";
import type { RadioMatcher } from "./radio-matcher.ts";
import type { ObjectSet } from "./restriction.ts";

/** The settings of a file that affect how its text is parsed. */
export type SyntaxSettings = {
  readonly todo: TodoWords;
  /** `#+LINK` abbreviations. */
  readonly links: ReadonlyMap<string, string>;
  /** Texts of the file's radio targets, whose every occurrence is a link. */
  readonly radioTargets: readonly string[];
  /** A headline of fifteen stars or more is an inline task. */
  readonly inlineTasks: boolean;
  /** Levels are counted in twos (`#+STARTUP: odd`). */
  readonly oddLevels: boolean;
};

/** Where an item of a list begins and ends. */
export type ListItemExtent = {
  readonly begin: number;
  readonly indent: number;
  /** It has a tag, and a bullet that makes it a description. */
  readonly tagged: boolean;
  end: number;
};

/** All items of a list and of the lists inside it, by where they begin. */
export type ListStructure = ReadonlyMap<number, ListItemExtent>;

/** Which elements may come next. */
export type ElementMode =
  | "top-comment"
  | "planning"
  | "property-drawer"
  | "node-property"
  | "table-row"
  | "item"
  | null;

/** Elements that are still to be read, into the children of the node above them. */
export type ElementsTask = {
  readonly kind: "elements";
  readonly begin: number;
  readonly end: number;
  readonly mode: ElementMode;
  readonly structure: ListStructure | null;
  readonly into: OrgNode[];
};

/** Objects that are still to be read. `pairs` are the brackets of the outermost text that they stand in. */
export type ObjectsTask = {
  readonly kind: "objects";
  readonly begin: number;
  readonly end: number;
  readonly allowed: ObjectSet;
  readonly pairs: BracketPairs;
  readonly into: OrgNode[];
};

/** The state of a parse: what is known of the text, and the tasks that are left. Parsing does not recurse, so that no nesting is too deep. */
export type ParserState = {
  readonly text: string;
  readonly settings: SyntaxSettings;
  readonly closers: Closers;
  readonly search: ForwardSearch;
  readonly radio: RadioMatcher | null;
  /** The brackets of the whole stretch that is read. */
  readonly pairs: BracketPairs;
  readonly tasks: (ElementsTask | ObjectsTask)[];
  /** False for a stretch that becomes one text node, without a search for objects. Null searches every stretch. */
  readonly mayHoldObjects: ((range: Range) => boolean) | null;
  /** Affiliated keywords up to `end` that belong to nothing, known from `begin` on. */
  stray: { readonly begin: number; readonly end: number };
  /** Lines that may be of one table of table.el, as far as a limit: `last` begins the last of them. */
  gridLines: { readonly begin: number; readonly last: number; readonly limit: number };
};

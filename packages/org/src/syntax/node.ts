import type { Range } from "../text/range.ts";
import type { Timestamp } from "../time/timestamp.ts";

/** The value of an affiliated keyword: one text, or one for each line of a keyword that may be repeated. */
export type AffiliatedValue = string | readonly string[];

/** Affiliated keywords by their present name, in upper case, in the order of the text. */
export type Affiliated = ReadonlyMap<string, AffiliatedValue>;

/** A list of objects and text that is not among a node's contents, such as a headline's title. */
export type ObjectList = readonly OrgNode[];

/** The properties of a headline's line. */
export type HeadingProperties = {
  readonly level: number;
  readonly rawValue: string;
  readonly todoKeyword: string | null;
  readonly todoType: "todo" | "done" | null;
  readonly priority: string | null;
  readonly tags: readonly string[];
  readonly title: ObjectList;
};

type Nothing = { readonly [key: string]: never };
type Valued = { readonly value: string };
type Call = {
  readonly call: string | null;
  readonly insideHeader: string | null;
  readonly arguments: string | null;
  readonly endHeader: string | null;
  readonly value: string;
};
type Code = {
  readonly language: string | null;
  readonly switches: string | null;
  readonly parameters?: string | null;
  readonly numberLines?: { readonly kind: "new" | "continued"; readonly before: number } | null;
  readonly preserveIndent: boolean;
  readonly value: string;
};
type Script = { readonly useBrackets: boolean };

/** The properties of each type of node. Names and their order are those of the JSON form. */
export type NodeProperties = {
  readonly "org-data": Nothing;
  readonly section: Nothing;
  readonly headline: HeadingProperties & {
    readonly commented: boolean;
    readonly archived: boolean;
    readonly footnoteSection: boolean;
    /** Blank lines between the headline and its contents. */
    readonly preBlank: number;
  };
  readonly inlinetask: HeadingProperties;
  readonly planning: {
    readonly scheduled: OrgNode | null;
    readonly deadline: OrgNode | null;
    readonly closed: OrgNode | null;
  };
  readonly "property-drawer": Nothing;
  readonly "node-property": { readonly key: string; readonly value: string };
  readonly keyword: { readonly key: string; readonly value: string };
  readonly "babel-call": Call;
  readonly drawer: { readonly name: string };
  readonly "dynamic-block": { readonly name: string; readonly arguments: string | null };
  readonly "center-block": Nothing;
  readonly "quote-block": Nothing;
  readonly "verse-block": Nothing;
  readonly "special-block": { readonly blockType: string; readonly parameters: string | null };
  readonly "src-block": Code;
  readonly "example-block": Code;
  readonly "export-block": { readonly backend: string | null; readonly value: string };
  readonly "comment-block": Valued;
  readonly comment: Valued;
  readonly "fixed-width": Valued;
  readonly "latex-environment": Valued;
  readonly "diary-sexp": Valued;
  readonly "horizontal-rule": Nothing;
  readonly clock: {
    readonly status: "running" | "closed";
    readonly value: OrgNode | null;
    readonly duration: string | null;
  };
  readonly "footnote-definition": { readonly label: string };
  readonly paragraph: Nothing;
  readonly "plain-list": { readonly listType: "ordered" | "unordered" | "descriptive" };
  readonly item: {
    readonly bullet: string;
    readonly counter: number | null;
    readonly checkbox: "on" | "off" | "trans" | null;
    readonly preBlank: number;
    readonly tag: ObjectList;
  };
  readonly table: {
    readonly tableType: "org" | "table.el";
    /** Formulas, the last line's first. */
    readonly tblfm: readonly string[];
    readonly value: string | null;
  };
  readonly "table-row": { readonly rowType: "standard" | "rule" };
  readonly "table-cell": Nothing;
  readonly text: Nothing;
  readonly bold: Nothing;
  readonly italic: Nothing;
  readonly underline: Nothing;
  readonly "strike-through": Nothing;
  readonly code: Valued;
  readonly verbatim: Valued;
  readonly link: {
    readonly linkType: string;
    readonly path: string;
    readonly rawLink: string;
    readonly format: "plain" | "angle" | "bracket";
    readonly searchOption: string | null;
    readonly application: string | null;
  };
  readonly timestamp: { readonly timestamp: Timestamp };
  readonly entity: { readonly name: string; readonly useBrackets: boolean };
  readonly "latex-fragment": Valued;
  readonly subscript: Script;
  readonly superscript: Script;
  readonly macro: { readonly key: string; readonly args: readonly string[]; readonly value: string };
  readonly target: Valued;
  readonly "radio-target": Valued;
  readonly "export-snippet": { readonly backend: string; readonly value: string };
  readonly "statistics-cookie": Valued;
  readonly "line-break": Nothing;
  readonly "footnote-reference": {
    readonly label: string | null;
    readonly refType: "inline" | "standard";
  };
  readonly citation: {
    readonly style: string | null;
    readonly prefix: ObjectList;
    readonly suffix: ObjectList;
  };
  readonly "citation-reference": {
    readonly key: string;
    readonly prefix: ObjectList;
    readonly suffix: ObjectList;
  };
  readonly "inline-src-block": {
    readonly language: string;
    readonly parameters: string | null;
    readonly value: string;
  };
  readonly "inline-babel-call": Call;
};

/** The name of an element or object, as Org's own parser has it; `text` is what stands between objects. */
export type NodeType = keyof NodeProperties;

/** A node of one type. Its range includes what follows it: blank lines of an element, blanks of an object. */
export type NodeOf<T extends NodeType> = Range & {
  readonly type: T;
  /** Where its contents begin and end; both are -1 where it has none. */
  readonly contentsBegin: number;
  readonly contentsEnd: number;
  /** Blank lines after an element, blanks after an object. */
  readonly postBlank: number;
  /** Where the element itself begins, below its affiliated keywords. */
  readonly postAffiliated: number;
  readonly affiliated: Affiliated | null;
  readonly properties: NodeProperties[T];
  /** They tile the contents: the first begins where they begin, and each where the one before it ends. */
  readonly children: readonly OrgNode[];
};

/** A node of the syntax tree of an Org text. */
export type OrgNode = { [T in NodeType]: NodeOf<T> }[NodeType];

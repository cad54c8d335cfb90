import type { Label } from "../../signal/label.ts";

/** A note as the context sees it: a headline, a file, or an object of the agent's own memory. */
export type ContextNode = {
  readonly id: string;
  readonly title: string;
  /** The level of its headline; 0 for a file. */
  readonly level: number;
  readonly todo: string | null;
  readonly done: boolean;
  readonly label: Label;
};

/** A node with the text of its heading and section, without the nodes below it. */
export type ShownNode = { readonly node: ContextNode; readonly text: string };

/** The notes, as a port. */
export type ContextSource = {
  readonly node: (id: string) => Promise<ContextNode | null>;
  /** A node and all nodes below it, in the order of the text; empty if there is no such node. */
  readonly subtree: (id: string) => Promise<readonly ShownNode[]>;
  readonly children: (id: string) => Promise<readonly ContextNode[]>;
  /** The nodes that a search for a text finds, best first, with their similarity to it from 0 to 1. */
  readonly similar: (words: string, limit: number) => Promise<readonly SimilarNode[]>;
  /** The nodes whose whole title may stand in a text. */
  readonly titledIn: (words: string, limit: number) => Promise<readonly ContextNode[]>;
  /** Nodes with their own text, without those that are gone. */
  readonly sections: (ids: readonly string[]) => Promise<readonly ShownNode[]>;
  /** Nodes tagged `project` that are not done, outermost first. */
  readonly projects: () => Promise<readonly ContextNode[]>;
  readonly lastEdited: () => Promise<string | null>;
  /** Whether the program itself keeps the file of a node: it is shown only where its owner names it. */
  readonly isOfProgram: (id: string) => Promise<boolean>;
  /** The nodes that link to a node. */
  readonly backlinks: (id: string) => Promise<readonly ContextNode[]>;
};

/** A node, and how similar to some words it is, from 0 to 1. */
export type SimilarNode = { readonly id: string; readonly similarity: number };

/** What the context is assembled for. */
export type ContextRequest = {
  /** The person's words. */
  readonly words: string;
  /** The node that the client named, or null. */
  readonly focus: string | null;
  /** From 0 to 1. Nodes that are at least this similar are shown in full. */
  readonly threshold: number;
  /** Tokens for the whole context; never exceeded. */
  readonly budget: number;
  /** Whether only the notes are shown that the words name, as to a sub-task. */
  readonly namedOnly?: boolean;
};

/** One piece of the context, and why it is shown. A piece never mixes public and private text. */
export type ContextPiece = {
  readonly part: "focus" | "backlink" | "named" | "similar" | "project";
  readonly id: string;
  readonly why: string;
  readonly similarity: number | null;
  /** The nodes whose text is in the piece. */
  readonly nodes: readonly string[];
  readonly text: string;
  readonly tokens: number;
  readonly label: Label;
  /** True if the piece was cut to fit the budget. */
  readonly cut: boolean;
};

/** What the model sees of the notes, piece by piece, and which nodes were left out. */
export type Context = {
  readonly pieces: readonly ContextPiece[];
  readonly omitted: readonly { readonly id: string; readonly why: string }[];
};

/** The context of no notes. */
export const emptyContext: Context = { pieces: [], omitted: [] };

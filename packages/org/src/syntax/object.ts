import { matchAt, skipBlanks } from "../text/lines.ts";
import type { BracketPairs } from "./bracket-pairs.ts";
import { noProperties } from "./element.ts";
import type { NodeOf, NodeProperties, NodeType, OrgNode } from "./node.ts";
import type { ParserState } from "./parser-state.ts";
import { type ObjectSet, restrictionOf } from "./restriction.ts";

/** The stretch of text in which objects are looked for. What is outside of it does not count, as in a narrowed buffer. */
export type Region = {
  readonly reading: ParserState;
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly allowed: ObjectSet;
  readonly pairs: BracketPairs;
};

type Built<T extends NodeType> = {
  readonly type: T;
  readonly begin: number;
  /** Its own end, before trailing blanks. */
  readonly own: number;
  readonly contents?: { readonly begin: number; readonly end: number } | null;
  readonly properties: NodeProperties[T];
};

const none: readonly OrgNode[] = [];

/** Makes an object that ends after the blanks behind it, and notes its contents as still to be read. */
export function makeObject<T extends NodeType>(region: Region, built: Built<T>): NodeOf<T> {
  const end = skipBlanks(region.text, built.own, region.end);
  const contents = built.contents ?? null;
  return {
    type: built.type,
    begin: built.begin,
    end,
    contentsBegin: contents === null ? -1 : contents.begin,
    contentsEnd: contents === null ? -1 : contents.end,
    postBlank: end - built.own,
    postAffiliated: built.begin,
    affiliated: null,
    properties: built.properties,
    children:
      contents === null
        ? none
        : objectsInside(region, contents.begin, contents.end, restrictionOf(built.type)),
  };
}

/** Notes objects of a part of a region as still to be read; what is returned will hold them. */
export function objectsInside(
  { reading, pairs }: Region,
  begin: number,
  end: number,
  allowed: ObjectSet,
): readonly OrgNode[] {
  if (begin >= end) return none;
  const into: OrgNode[] = [];
  reading.tasks.push({ kind: "objects", begin, end, allowed, pairs, into });
  return into;
}

/** Makes the node of text that is no object. */
export function textNode(begin: number, end: number): NodeOf<"text"> {
  return {
    type: "text",
    begin,
    end,
    contentsBegin: -1,
    contentsEnd: -1,
    postBlank: 0,
    postAffiliated: begin,
    affiliated: null,
    properties: noProperties,
    children: [],
  };
}

/** The match of a sticky expression at an offset of a region, as if its text were all there is. */
export function matchIn({ text, end }: Region, pattern: RegExp, at: number): RegExpExecArray | null {
  return matchAt(pattern, text.slice(at, end), 0);
}

import { afterBlankLines, countLines } from "../text/lines.ts";
import { pairBrackets } from "./bracket-pairs.ts";
import type { Affiliated, NodeOf, NodeProperties, NodeType, OrgNode } from "./node.ts";
import type { ElementMode, ListStructure, ObjectsTask, ParserState } from "./parser-state.ts";
import type { ObjectSet } from "./restriction.ts";

/** Where an element is read: `at` is its own first line, `begin` that of the keywords above it that belong to it. */
export type ElementStart = {
  readonly reading: ParserState;
  readonly begin: number;
  readonly at: number;
  readonly limit: number;
  readonly affiliated: Affiliated | null;
};

/** The contents of an element: of other elements, or of objects. */
export type ElementContents = { readonly begin: number; readonly end: number } & (
  | { readonly mode: ElementMode; readonly structure?: ListStructure }
  | { readonly allowed: ObjectSet }
);

type Built<T extends NodeType> = {
  readonly type: T;
  /** The end of its own last line. */
  readonly own: number;
  readonly contents?: ElementContents | null;
  readonly properties: NodeProperties[T];
};

const nothing = {};

/** The properties of a node that says nothing of itself. */
export const noProperties: { readonly [key: string]: never } = nothing;

/** Makes an element that ends after the blank lines below it, and notes its contents as still to be read. */
export function makeElement<T extends NodeType>(place: ElementStart, built: Built<T>): NodeOf<T> {
  const { reading, begin, at, limit, affiliated } = place;
  const end = Math.max(built.own, afterBlankLines(reading.text, built.own, limit));
  const contents = built.contents ?? null;
  return {
    type: built.type,
    begin,
    end,
    contentsBegin: contents === null ? -1 : contents.begin,
    contentsEnd: contents === null ? -1 : contents.end,
    postBlank: countLines(reading.text, built.own, end),
    postAffiliated: at,
    affiliated,
    properties: built.properties,
    children: contents === null ? none : readLater(reading, contents),
  };
}

/** Notes contents as still to be read; what is returned will hold them. */
export function readLater(reading: ParserState, contents: ElementContents): readonly OrgNode[] {
  const { begin, end } = contents;
  if (begin >= end) return none;
  const into: OrgNode[] = [];
  if ("allowed" in contents) reading.tasks.push(objectsTask(reading, contents, into));
  else
    reading.tasks.push({
      kind: "elements",
      begin,
      end,
      mode: contents.mode,
      structure: contents.structure ?? null,
      into,
    });
  return into;
}

/** Notes objects of an outermost stretch of text as still to be read. */
export function objectsLater(
  reading: ParserState,
  begin: number,
  end: number,
  allowed: ObjectSet,
): readonly OrgNode[] {
  return readLater(reading, { begin, end, allowed });
}

const none: readonly OrgNode[] = [];

function objectsTask(
  reading: ParserState,
  { begin, end, allowed }: { begin: number; end: number; allowed: ObjectSet },
  into: OrgNode[],
): ObjectsTask {
  return { kind: "objects", begin, end, allowed, pairs: pairBrackets(reading.text, begin, end), into };
}

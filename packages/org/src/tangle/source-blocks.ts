import { inheritedProperty, inheritThrough } from "../outline/inherit.ts";
import type { Headline, Outline } from "../outline/outline.ts";
import { type ScanOptions, scanOutline } from "../outline/scan-outline.ts";
import type { NodeOf, OrgNode } from "../syntax/node.ts";
import { parseOrg } from "../syntax/tree.ts";
import { type HeaderArguments, mergeArguments, parseHeaderArguments } from "./header-arguments.ts";
import { removeIndentation } from "./remove-indentation.ts";

/** A source block with all that holds for it. */
export type SourceBlock = {
  /** The offset of its `#+begin_src`. */
  readonly at: number;
  readonly language: string;
  readonly name: string | null;
  readonly switches: string;
  /** Without the indentation that its lines share, and without a last line end. */
  readonly body: string;
  readonly arguments: HeaderArguments;
  /** Whether it stands below a heading that is a comment; below one that is archived. */
  readonly commented: boolean;
  readonly archived: boolean;
};

/** The source blocks of a text in their order, each with the header arguments of the file, the headings above it and its own. */
export function readSourceBlocks(text: string, options: ScanOptions = {}): readonly SourceBlock[] {
  if (!/#\+begin_src/i.test(text)) return [];
  const outline = scanOutline(text, options);
  const places = outline.headlines.map((headline) => placeOf(outline, headline));
  let next = 0;
  return sourceNodes(parseOrg(text, options)).map((node) => {
    while ((outline.headlines[next]?.begin ?? Number.POSITIVE_INFINITY) <= node.postAffiliated) next += 1;
    const place = places[next - 1] ?? { headline: null, commented: false, archived: false };
    return describe(outline, node, place);
  });
}

function sourceNodes(root: OrgNode): readonly NodeOf<"src-block">[] {
  const found: NodeOf<"src-block">[] = [];
  const left: OrgNode[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === "src-block") found.push(node);
    for (const each of node.children.toReversed()) left.push(each);
  }
  return found;
}

type Place = { readonly headline: Headline | null; readonly commented: boolean; readonly archived: boolean };

function placeOf(outline: Outline, headline: Headline): Place {
  let [commented, archived] = [false, false];
  for (let at: Headline | undefined = headline; at !== undefined; at = outline.headlines[at.parent]) {
    commented ||= at.comment !== null;
    archived ||= at.tags?.names.includes("ARCHIVE") === true;
  }
  return { headline, commented, archived };
}

function describe(outline: Outline, node: NodeOf<"src-block">, place: Place): SourceBlock {
  const { language, switches, parameters, value } = node.properties;
  const inherited = (name: string): HeaderArguments =>
    parseHeaderArguments(propertyAt(outline, place.headline, name) ?? "");
  const headers = node.affiliated?.get("HEADER") ?? [];
  return {
    at: node.postAffiliated,
    language: language ?? "",
    name: wordOf(node.affiliated?.get("NAME")),
    switches: switches ?? "",
    body: removeIndentation(value.replace(/\n$/, "")),
    arguments: mergeArguments([
      inherited("header-args"),
      ...(language === null ? [] : [inherited(`header-args:${language}`)]),
      parseHeaderArguments(parameters ?? ""),
      ...(Array.isArray(headers) ? headers.toReversed().map(parseHeaderArguments) : []),
    ]),
    commented: place.commented,
    archived: place.archived,
  };
}

function propertyAt(outline: Outline, headline: Headline | null, name: string): string | null {
  if (headline !== null) return inheritedProperty(outline, headline, name);
  return inheritThrough(
    [outline.properties],
    name,
    outline.settings.properties.get(name.toUpperCase()) ?? null,
  );
}

function wordOf(value: string | readonly string[] | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

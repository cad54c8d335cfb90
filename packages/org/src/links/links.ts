import type { Headline, Outline } from "../outline/outline.ts";
import type { OrgNode } from "../syntax/node.ts";
import { parseEntry, parseText } from "../syntax/parse-section.ts";
import type { SyntaxSettings } from "../syntax/parser-state.ts";
import { findRadioTargets } from "../syntax/radio-matcher.ts";
import { syntaxSettings } from "../syntax/tree.ts";
import type { Range } from "../text/range.ts";
import { linkFilter, radioTargetFilter } from "./link-candidates.ts";
import { type LinkTarget, targetsOf } from "./link-target.ts";

/** A link, with the range of all of it. A citation is one link for each of its keys, with the range of the citation. */
export type OrgLink = Range & LinkTarget;

const captionLine = /^[ \t]*#\+caption/gim;

/**
 * The links and citations of each entry, in the order of the text: of a headline's own line and section, or, for null, of what stands before the
 * first headline. They are those of the syntax tree, and those in captions; radio links are left out. An entry without links is not in the map.
 * Only what may hold a link is parsed.
 */
export function linksByEntry(outline: Outline): ReadonlyMap<Headline | null, readonly OrgLink[]> {
  const found = new Map<Headline | null, readonly OrgLink[]>();
  const { text } = outline;
  const filter = linkFilter(text);
  if (filter === null) return found;
  const settings = linkSettings(outline);
  for (const headline of entriesWith(filter, outline)) {
    const links = linksOfNodes(text, parseEntry(outline, headline, { settings, filter }), settings);
    if (links.length > 0) found.set(headline, links);
  }
  return found;
}

function entriesWith(
  filter: (range: Range) => boolean,
  { headlines, sectionEnd }: Outline,
): readonly (Headline | null)[] {
  const own = headlines.filter(({ begin, sectionEnd: end }) => filter({ begin, end }));
  return filter({ begin: 0, end: sectionEnd }) ? [null, ...own] : own;
}

/** What the file's settings mean for its syntax, with the radio targets of all its entries. */
function linkSettings(outline: Outline): SyntaxSettings {
  const settings = syntaxSettings(outline.settings);
  const filter = radioTargetFilter(outline.text);
  if (filter === null) return settings;
  const nodes = entriesWith(filter, outline).flatMap((headline) =>
    parseEntry(outline, headline, { settings, filter }),
  );
  return { ...settings, radioTargets: [...new Set(nodes.flatMap(findRadioTargets))] };
}

function linksOfNodes(text: string, nodes: readonly OrgNode[], settings: SyntaxSettings): readonly OrgLink[] {
  const links: OrgLink[] = [];
  const left: { readonly node: OrgNode; readonly citation: Range | null }[] = nodes.map((node) => ({
    node,
    citation: null,
  }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node } = next;
    const own = { begin: node.begin, end: node.end - node.postBlank };
    const citation = node.type === "citation" ? own : next.citation;
    for (const each of targetsOfNode(node).map((target) => ({ ...(citation ?? own), ...target })))
      links.push(each);
    const captions = captionsOf(text, node).flatMap((range) => parseText(text, range, settings));
    const inside = [...node.children, ...captions, ...(node.type === "item" ? node.properties.tag : [])];
    for (const each of inside.map((child) => ({ node: child, citation })).reverse()) left.push(each);
  }
  return links.toSorted((one, other) => one.begin - other.begin);
}

function targetsOfNode(node: OrgNode): readonly LinkTarget[] {
  if (node.type === "link") return targetsOf(node.properties);
  if (node.type !== "citation-reference") return [];
  return [{ type: "cite", target: node.properties.key, search: null }];
}

/** Where captions stand that belong to a node, or to none. */
function captionsOf(text: string, node: OrgNode): readonly Range[] {
  const isKeyword = node.type === "keyword" && node.properties.key === "CAPTION";
  if (!isKeyword && node.affiliated?.has("CAPTION") !== true) return [];
  const part = text.slice(node.begin, isKeyword ? node.end : node.postAffiliated);
  return Array.from(part.matchAll(captionLine), ({ 0: word, index }) => {
    const begin = index + word.length;
    const end = part.indexOf("\n", begin);
    return { begin: node.begin + begin, end: node.begin + (end === -1 ? part.length : end) };
  });
}

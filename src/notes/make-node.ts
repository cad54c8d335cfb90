import {
  type AgendaTimestamp,
  type GroupsOfTag,
  groupsOfTags,
  type Headline,
  nearestTags,
  type OrgLink,
  type Outline,
} from "#org";
import { bottomLabel, type Label } from "../signal/label.ts";
import { readDenoteName } from "./denote-name.ts";
import type { IdClaims } from "./id-claims.ts";
import { claimedId, onlyId, propertiesOf, roamFields, searchFieldsOf } from "./node-properties.ts";
import { timesHash, wordsHash } from "./note-hashes.ts";
import type { NoteLink, NoteNode, ParsedNode } from "./note-node.ts";
import { labelFromOrigin, originProperty } from "./origin-property.ts";
import { containsArmour, hasCryptTag } from "./secret-text.ts";

/** What a node inherits from the node above it. */
export type Inherited = Pick<
  NoteNode,
  "id" | "tags" | "category" | "commented" | "archived" | "path" | "label"
> & {
  /** True below an encrypted headline: no nodes are made there. */
  readonly hidden: boolean;
  /** True where not all tags are inherited: one of the others may be a privacy tag. */
  readonly mayBePrivate: boolean;
};

/** A node without its hash, which covers the hashes of its children. */
export type UnhashedNode = Omit<ParsedNode, "node"> & { readonly node: NoteNode & { hash: string } };

/** What all nodes of a file are made from. */
export type FileParts = {
  readonly path: string;
  readonly outline: Outline;
  readonly groupsOf: GroupsOfTag;
  readonly claims: IdClaims;
  /** The links of each entry of the file; null stands for what precedes the first headline. */
  readonly links: ReadonlyMap<Headline | null, readonly OrgLink[]>;
};

/** What the node of a headline is made from. */
export type HeadlineParts = FileParts & {
  readonly headline: Headline;
  readonly above: Inherited;
  readonly placeId: string;
  readonly stamps: readonly AgendaTimestamp[];
};

/** How many of the titles above a node are kept with it. */
const longestPath = 32;

/** Makes the node of the file itself. */
export function makeFileNode({ path, outline, groupsOf, claims, links }: FileParts): UnhashedNode {
  const { text, settings, sectionEnd } = outline;
  const name = baseNameOf(path);
  const named = readDenoteName(path);
  const properties = propertiesOf(outline.properties);
  const secret = hasCryptTag(settings.tags) || containsArmour(text.slice(0, sectionEnd));
  const body = secret ? "" : withoutDrawers(outline, { begin: 0, end: sectionEnd }, null);
  const label = labelOf(bottomLabel, properties, secret ? "secret" : "public");
  const claimed = claimedId(properties) ?? named?.id ?? null;
  const isTaken = claimed === null || !claims.claim(claimed, -1, label);
  const node: UnhashedNode["node"] = {
    id: isTaken ? path : claimed,
    parent: null,
    file: path,
    level: 0,
    begin: 0,
    lineEnd: 0,
    sectionEnd,
    end: text.length,
    title: settings.title || (named?.title ?? name),
    path: [],
    todo: null,
    done: false,
    priority: null,
    tags: settings.tags,
    localTags: settings.tags,
    ...groupsIn(settings.tags, groupsOf),
    properties,
    category: properties["CATEGORY"] ?? settings.category ?? name,
    ...roamFields(properties),
    commented: false,
    archived: path.endsWith("_archive") || settings.tags.includes("ARCHIVE"),
    label,
    hash: "",
    words: wordsHash(settings.title ?? "", body),
  };
  return {
    node,
    placeId: path,
    searchFields: searchFieldsOf(node, body, { fileTitle: "", planning: "" }),
    stamps: [],
    links: secret ? [] : linksOf(node, links.get(null)),
  };
}

/** Makes the node of a headline. */
export function makeHeadlineNode(parts: HeadlineParts): UnhashedNode {
  const { path, outline, headline, above, placeId, claims, stamps, groupsOf, links } = parts;
  const { begin, lineEnd, sectionEnd, end, level, title, todo } = headline;
  const localTags = headline.tags?.names ?? [];
  const all = propertiesOf(headline.properties);
  const archivedTags = tagsWhenArchived(all);
  const crypt = hasCryptTag([...localTags, ...archivedTags]);
  const properties = crypt ? onlyId(all) : all;
  const secret = crypt || containsArmour(outline.text.slice(lineEnd, sectionEnd));
  const claimed = claimedId(properties);
  const body = secret ? "" : withoutDrawers(outline, { begin: lineEnd, end: sectionEnd }, headline);
  const label = labelOf(
    above.label,
    properties,
    secret ? "secret" : above.mayBePrivate ? "private" : "public",
  );
  const isTaken = claimed === null || !claims.claim(claimed, headline.index, label);
  const tags = joinTags(above.tags, [...localTags, ...archivedTags]);
  const node: UnhashedNode["node"] = {
    id: isTaken ? placeId : claimed,
    parent: above.id,
    file: path,
    level,
    begin,
    lineEnd,
    sectionEnd,
    end,
    title,
    path: above.path,
    todo: todo?.word ?? null,
    done: todo?.done ?? false,
    priority: headline.priority?.value ?? null,
    tags,
    localTags,
    ...groupsIn(tags, groupsOf),
    properties,
    category: properties["CATEGORY"] ?? above.category,
    ...roamFields(properties),
    commented: above.commented || headline.comment !== null,
    archived: above.archived || localTags.includes("ARCHIVE"),
    label,
    hash: "",
    words: wordsHash(title, body),
    ...(secret ? {} : timesOf(outline, headline)),
  };
  return {
    node,
    placeId,
    searchFields: searchFieldsOf(node, body, {
      fileTitle: outline.settings.title ?? readDenoteName(path)?.title ?? "",
      planning:
        headline.planning === null ? "" : outline.text.slice(headline.planning.begin, headline.planning.end),
    }),
    stamps: stamps
      .filter(({ role }) => !secret || role === "scheduled" || role === "deadline")
      .map((stamped) => ({ node: node.id, stamped })),
    links: secret ? [] : linksOf(node, links.get(headline)),
  };
}

/** What headlines of the first level inherit from their file. */
export function inheritFromFile(node: NoteNode): Inherited {
  return inherit(node, { path: [], hidden: hasCryptTag(node.tags), mayBePrivate: false });
}

/** What headlines inherit from the headline above them. */
export function inheritFromHeadline(node: NoteNode, { path, mayBePrivate }: Inherited): Inherited {
  const longer = [...path, node.title].slice(-longestPath);
  return inherit(node, { path: longer, hidden: hasCryptTag(node.localTags), mayBePrivate });
}

function inherit(
  node: NoteNode,
  { path, hidden, mayBePrivate }: Pick<Inherited, "path" | "hidden" | "mayBePrivate">,
): Inherited {
  const { id, category, commented, archived } = node;
  const tags = nearestTags(node.tags);
  const fewer = tags.length < node.tags.length;
  const label = inheritedLabel(node);
  return {
    id,
    tags,
    category,
    commented,
    archived,
    path,
    label,
    hidden,
    mayBePrivate: mayBePrivate || fewer,
  };
}

/** The name of a file without its folder and its ending. */
export function baseNameOf(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.org(_archive)?$/, "");
}

function groupsIn(tags: readonly string[], groupsOf: GroupsOfTag): Pick<NoteNode, "groups"> {
  const groups = groupsOfTags(tags, groupsOf);
  return groups === null ? {} : { groups };
}

function linksOf({ id, begin }: NoteNode, links: readonly OrgLink[] = []): readonly NoteLink[] {
  return links.map(({ type, target, begin: at }) => ({ node: id, type, target, begin: at - begin }));
}

/** Text below a text of foreign origin came with it, so integrity is inherited. Secrecy is not: armour in a section says nothing about the sections below it. */
function inheritedLabel({ label }: NoteNode): Label {
  return { ...label, secrecy: "public" };
}

function labelOf(above: Label, properties: NoteNode["properties"], secrecy: Label["secrecy"]): Label {
  const label = labelFromOrigin(above, properties[originProperty]);
  return secrecy === "public" ? label : { ...label, secrecy };
}

/** The tags that an entry inherited where it was archived from. */
function tagsWhenArchived(properties: NoteNode["properties"]): readonly string[] {
  return (properties["ARCHIVE_ITAGS"] ?? "").split(/[\s:]+/).filter((tag) => tag !== "");
}

function joinTags(above: readonly string[], local: readonly string[]): readonly string[] {
  return local.length === 0 ? above : [...new Set([...above, ...local])];
}

function timesOf({ text }: Outline, { planning, logbook }: Headline): Pick<NoteNode, "times"> {
  const parts = [planning, logbook].flatMap((part) =>
    part === null ? [] : text.slice(part.begin, part.end),
  );
  return parts.length === 0 ? {} : { times: timesHash(parts.join("\n")) };
}

/** The text of a section without its planning line, its property drawer and its logbook: the words of its author. */
function withoutDrawers(
  { text, properties: fileDrawer }: Outline,
  { begin, end }: { readonly begin: number; readonly end: number },
  headline: Headline | null,
): string {
  const cuts = [headline?.planning, headline === null ? fileDrawer : headline.properties, headline?.logbook]
    .filter((cut) => cut !== null && cut !== undefined)
    .toSorted((one, other) => one.begin - other.begin);
  let kept = "";
  let at = begin;
  for (const cut of cuts) {
    if (cut.begin > at) kept += text.slice(at, cut.begin);
    at = Math.max(at, cut.end);
  }
  return kept + text.slice(at, end);
}

import {
  type AgendaTimestamp,
  agendaTimestamps,
  type GroupsOfTag,
  groupsOfTags,
  type Headline,
  type Outline,
  type PropertyDrawer,
  tagGroupFinder,
} from "#org";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { findLinks } from "./find-links.ts";
import { type IdClaims, makeIdClaims } from "./id-claims.ts";
import { nodeHash, wordsHash } from "./note-hashes.ts";
import { isNoteName } from "./note-names.ts";
import type { NoteLink, NoteNode, ParsedNode, SearchFields } from "./note-node.ts";
import { labelFromOrigin, originProperty } from "./origin-property.ts";
import { placeIds } from "./place-ids.ts";
import { containsArmour, hasCryptTag } from "./secret-text.ts";

/** What a node has from those above it. */
type Inherited = Pick<NoteNode, "id" | "tags" | "category" | "commented" | "archived" | "path" | "label"> & {
  /** Below an encrypted heading: there is no node for it. */
  readonly hidden: boolean;
};

/** A node that is made, but for its hash: that covers those of its children. */
type MadeNode = Omit<ParsedNode, "node"> & { readonly node: NoteNode & { hash: string } };

/** How many of the titles above a node are kept with it. */
const longestPath = 32;

/** Makes the nodes of a file, its own first: what the index knows of it. `path` is relative to the notes folder. */
export function readNodes(path: string, outline: Outline): readonly ParsedNode[] {
  const claims = makeIdClaims();
  const read = readWith(claims, path, outline);
  const better = claims.reassigned();
  return better === null ? read : readWith(better, path, outline);
}

function readWith(claims: IdClaims, path: string, outline: Outline): readonly ParsedNode[] {
  const groupsOf = tagGroupFinder(outline.settings.tagGroups, "careful");
  const file = fileNode({ path, outline, groupsOf, claims });
  const places = placeIds(path, outline.headlines);
  const stamps = stampsByHeadline(path, outline);
  const read: MadeNode[] = [file];
  const inherited: Inherited[] = [];
  const indexes: number[] = [-1];
  for (const headline of outline.headlines) {
    const above = inherited[headline.parent] ?? fromFile(file.node);
    if (above.hidden) {
      inherited.push(above);
      continue;
    }
    const placeId = places[headline.index] ?? path;
    const given = { path, outline, headline, above, placeId, claims, groupsOf };
    const made = headlineNode({ ...given, stamps: stamps.get(headline.index) ?? [] });
    inherited.push(below(made.node, above, hasCryptTag(made.node.localTags)));
    read.push(made);
    indexes.push(headline.index);
  }
  setHashes(read, indexes, outline);
  return read;
}

function fileNode({
  path,
  outline,
  groupsOf,
  claims,
}: Pick<Given, "path" | "outline" | "groupsOf" | "claims">): MadeNode {
  const { text, settings, sectionEnd } = outline;
  const name = nameOf(path);
  const title = settings.title ?? name;
  const properties = propertiesOf(outline.properties);
  const crypt = hasCryptTag(settings.tags);
  const content = text.slice(0, sectionEnd);
  const body = withoutDrawer(outline, { begin: 0, end: sectionEnd });
  const secret = crypt || containsArmour(content);
  const label = labelled(bottomLabel, properties, secret);
  const claimed = claimedId(properties);
  const isTaken = claimed === null || !claims.claim(claimed, -1, label);
  const node: MadeNode["node"] = {
    ...{ id: isTaken ? path : claimed, parent: null, file: path, level: 0 },
    ...{ begin: 0, lineEnd: 0, sectionEnd, end: text.length },
    ...{ title, path: [], todo: null, done: false, priority: null },
    ...{ tags: settings.tags, localTags: settings.tags, ...groupsIn(settings.tags, groupsOf), properties },
    ...{ category: properties["CATEGORY"] ?? settings.category ?? name },
    ...identity(properties),
    ...{ commented: false, archived: path.endsWith("_archive") || settings.tags.includes("ARCHIVE") },
    ...{
      label,
      hash: "",
      words: wordsHash(settings.title ?? "", secret ? "" : body),
    },
  };
  const links = secret ? [] : linksIn(node, text);
  return { node, placeId: path, searchFields: searched(node, secret ? "" : body, ""), stamps: [], links };
}

type Given = {
  readonly path: string;
  readonly outline: Outline;
  readonly headline: Headline;
  readonly above: Inherited;
  readonly placeId: string;
  readonly claims: IdClaims;
  readonly stamps: readonly AgendaTimestamp[];
  readonly groupsOf: GroupsOfTag;
};

function groupsIn(tags: readonly string[], groupsOf: GroupsOfTag): Pick<NoteNode, "groups"> {
  const groups = groupsOfTags(tags, groupsOf);
  return groups === null ? {} : { groups };
}

function stampsByHeadline(path: string, outline: Outline): ReadonlyMap<number, readonly AgendaTimestamp[]> {
  const stamps = new Map<number, AgendaTimestamp[]>();
  if (path.endsWith("_archive")) return stamps;
  for (const { index, timestamp } of agendaTimestamps(outline, { category: nameOf(path) })) {
    const known = stamps.get(index);
    if (known === undefined) stamps.set(index, [timestamp]);
    else known.push(timestamp);
  }
  return stamps;
}

function nameOf(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.org(_archive)?$/, "");
}

function headlineNode(given: Given): MadeNode {
  const { path, outline, headline, above, placeId, claims, stamps, groupsOf } = given;
  const { begin, lineEnd, sectionEnd, end, level, title, todo } = headline;
  const localTags = headline.tags?.names ?? [];
  const crypt = hasCryptTag(localTags);
  const all = propertiesOf(headline.properties);
  const properties = crypt ? onlyId(all) : all;
  const secret = crypt || containsArmour(outline.text.slice(lineEnd, sectionEnd));
  const claimed = claimedId(properties);
  const body = secret ? "" : withoutDrawer(outline, { begin: lineEnd, end: sectionEnd }, headline);
  const label = labelled(above.label, properties, secret);
  const isTaken = claimed === null || !claims.claim(claimed, headline.index, label);
  const tags = joinTags(above.tags, localTags);
  const node: MadeNode["node"] = {
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
    aliases: quotedWords(properties["ROAM_ALIASES"]),
    refs: quotedWords(properties["ROAM_REFS"]),
    commented: above.commented || headline.comment !== null,
    archived: above.archived || localTags.includes("ARCHIVE"),
    label,
    hash: "",
    words: wordsHash(title, body),
  };
  const fileTitle = outline.settings.title ?? "";
  return {
    node,
    placeId,
    searchFields: searched(node, body, fileTitle),
    stamps: stamps
      .filter(({ role }) => !secret || role === "scheduled" || role === "deadline")
      .map((stamped) => ({ node: node.id, stamped })),
    links: secret ? [] : linksIn(node, outline.text),
  };
}

function linksIn({ id, begin, sectionEnd }: NoteNode, text: string): readonly NoteLink[] {
  return findLinks(text.slice(begin, sectionEnd)).map((found) => ({ ...found, node: id }));
}

function fromFile(node: NoteNode): Inherited {
  const { id, tags, category, commented, archived } = node;
  return {
    id,
    tags,
    category,
    commented,
    archived,
    path: [],
    label: inheritedLabel(node),
    hidden: hasCryptTag(tags),
  };
}

function below(node: NoteNode, above: Inherited, hidden: boolean): Inherited {
  const { id, tags, category, commented, archived } = node;
  const path = [...above.path, node.title].slice(-longestPath);
  return { id, tags, category, commented, archived, path, label: inheritedLabel(node), hidden };
}

/** What was filed below a text from elsewhere came with it; that a section holds armour says nothing of those below it. */
function inheritedLabel({ label }: NoteNode): Label {
  return { ...label, secrecy: "public" };
}

function labelled(above: Label, properties: NoteNode["properties"], secret: boolean): Label {
  const label = labelFromOrigin(above, properties[originProperty]);
  return secret ? { ...label, secrecy: "secret" } : label;
}

function joinTags(above: readonly string[], local: readonly string[]): readonly string[] {
  return local.length === 0 ? above : [...new Set([...above, ...local])];
}

function propertiesOf(drawer: PropertyDrawer | null): Readonly<Record<string, string>> {
  if (drawer === null) return {};
  const properties = new Map<string, string>();
  for (const { name, value } of drawer.properties) {
    const upper = name.toUpperCase();
    const plain = upper.replace(/\+$/, "");
    const before = properties.get(plain);
    if (plain === upper) properties.set(plain, value);
    else properties.set(plain, before === undefined ? value : `${before} ${value}`);
  }
  return Object.fromEntries(properties);
}

/** An `:ID:` that could be an id by place of some node is none, so that the two never meet. */
function claimedId({ ID: id }: Readonly<Record<string, string>>): string | null {
  return id === undefined || id === "" || id.includes("::") || isNoteName(id) ? null : id;
}

function onlyId(properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const id = properties["ID"];
  return id === undefined ? {} : { ID: id };
}

function identity(properties: Readonly<Record<string, string>>): Pick<NoteNode, "aliases" | "refs"> {
  return { aliases: quotedWords(properties["ROAM_ALIASES"]), refs: quotedWords(properties["ROAM_REFS"]) };
}

function quotedWords(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|\[cite:[^\]]*\]|\S+/g)].map(
    ([whole, quoted]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? whole,
  );
}

/** The text of a section without its planning, drawers of its own kind and clocks: what a person wrote there. */
function withoutDrawer(
  { text, properties: fileDrawer }: Outline,
  { begin, end }: { readonly begin: number; readonly end: number },
  headline: Headline | null = null,
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

function searched(node: NoteNode, body: string, fileTitle: string): SearchFields {
  const { title, tags, properties, aliases, path } = node;
  const values = Object.entries(properties).filter(([name]) => !unsearched.has(name));
  return {
    title: [title, ...aliases].join("\n"),
    text: body.trim(),
    tags: tags.join(" "),
    properties: values.map(([, value]) => value).join("\n"),
    ancestorTitles: path.join("\n"),
    fileTitle,
  };
}

const unsearched: ReadonlySet<string> = new Set(["ID", "ORIGIN", "ROAM_ALIASES", "CREATED"]);

/** From the last to the first, so that each node's children have theirs. */
function setHashes(
  made: readonly MadeNode[],
  indexes: readonly number[],
  { text, headlines }: Outline,
): void {
  const children = new Map<number, string[]>();
  for (let at = made.length - 1; at >= 0; at -= 1) {
    const node = made[at]?.node;
    const index = indexes[at];
    if (node === undefined || index === undefined) continue;
    node.hash = nodeHash({
      id: node.id,
      type: node.level === 0 ? "file" : "headline",
      attributes: {
        " priority": node.priority ?? "",
        " tags": node.localTags.join(" "),
        " title": node.title,
        " todo": node.todo ?? "",
        ...node.properties,
      },
      content: node.label.secrecy === "secret" ? "" : text.slice(node.begin, node.sectionEnd),
      children: children.get(index)?.reverse() ?? [],
    });
    if (index < 0) continue;
    const parent = headlines[index]?.parent ?? -1;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node.hash]);
    else siblings.push(node.hash);
  }
}

import { type AgendaTimestamp, agendaTimestamps, linksByEntry, type Outline, tagGroupFinder } from "#org";
import { makeIdClaims } from "./id-claims.ts";
import {
  baseNameOf,
  type FileParts,
  type Inherited,
  inheritFromFile,
  inheritFromHeadline,
  makeFileNode,
  makeHeadlineNode,
  type UnhashedNode,
} from "./make-node.ts";
import { nodeHash } from "./note-hashes.ts";
import type { ParsedNode } from "./note-node.ts";
import { placeIds } from "./place-ids.ts";

/** Reads the nodes of a file, its own first. `path` is relative to the notes folder. */
export function readNodes(path: string, outline: Outline): readonly ParsedNode[] {
  const steps = readNodesInSteps(path, outline);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same a heading at a time, so that other tasks can run in between. */
export function* readNodesInSteps(path: string, outline: Outline): Generator<void, readonly ParsedNode[]> {
  const claims = makeIdClaims();
  const groupsOf = tagGroupFinder(outline.settings.tagGroups, "careful");
  const parts: FileParts = { path, outline, groupsOf, claims, links: linksByEntry(outline) };
  const nodes = yield* readWithClaims(parts);
  const reassigned = claims.reassigned();
  return reassigned === null ? nodes : yield* readWithClaims({ ...parts, claims: reassigned });
}

function* readWithClaims(parts: FileParts): Generator<void, readonly ParsedNode[]> {
  const { path, outline } = parts;
  const file = makeFileNode(parts);
  const places = placeIds(path, outline.headlines);
  const stamps = stampsByHeadline(path, outline);
  const nodes: UnhashedNode[] = [file];
  const ofFile = inheritFromFile(file.node);
  const inherited: Inherited[] = [];
  const indexes: number[] = [-1];
  for (const headline of outline.headlines) {
    yield;
    const above = inherited[headline.parent] ?? ofFile;
    if (above.hidden) {
      inherited.push(above);
      continue;
    }
    const made = makeHeadlineNode({
      ...parts,
      headline,
      above,
      placeId: places[headline.index] ?? path,
      stamps: stamps.get(headline.index) ?? [],
    });
    inherited.push(inheritFromHeadline(made.node, above));
    nodes.push(made);
    indexes.push(headline.index);
  }
  yield* setHashes(nodes, indexes, outline);
  return nodes;
}

function stampsByHeadline(path: string, outline: Outline): ReadonlyMap<number, readonly AgendaTimestamp[]> {
  const stamps = new Map<number, AgendaTimestamp[]>();
  if (path.endsWith("_archive")) return stamps;
  for (const { index, timestamp } of agendaTimestamps(outline, { category: baseNameOf(path) })) {
    const known = stamps.get(index);
    if (known === undefined) stamps.set(index, [timestamp]);
    else known.push(timestamp);
  }
  return stamps;
}

/** Sets the hashes from the last node to the first, so that the children of each node have theirs. */
function* setHashes(
  nodes: readonly UnhashedNode[],
  indexes: readonly number[],
  { text, headlines }: Outline,
): Generator<void, void> {
  const children = new Map<number, string[]>();
  for (let at = nodes.length - 1; at >= 0; at -= 1) {
    yield;
    const node = nodes[at]?.node;
    const index = indexes[at];
    if (node === undefined || index === undefined) continue;
    node.hash = nodeHash({
      id: node.id,
      type: node.level === 0 ? "file" : "headline",
      attributes: {
        " priority": node.priority ?? "",
        " tags": node.localTags.join(" "),
        ...(node.groups === undefined ? {} : { " groups": node.groups.join(" ") }),
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

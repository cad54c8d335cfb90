import { type ListedNode, listNodes, nodeDescriber, type OrgNode } from "#org";
import { makeEventLoopYield, runInSlices } from "../../../machine/yield-to-event-loop.ts";
import type { Label } from "../../../signal/label.ts";
import type { Json, JsonObject } from "../../../text/json.ts";
import { type MaskPart, type MaskString, makeKeyMasker, type SecretSpan } from "./mask-keys.ts";

/** A tree with what decides how its nodes are shown. */
export type ReadTree = {
  readonly text: string;
  readonly tree: OrgNode;
  /** The labels of the entries, by where each begins, and of the file at -1. */
  readonly labels: ReadonlyMap<number, Label>;
  /** The keys in the text, in order. */
  readonly secrets: readonly SecretSpan[];
};

/** A tree as the list of its nodes, with all that a page of it needs, so that a page costs only itself. */
export type ShownTree = {
  readonly nodes: readonly ListedNode[];
  /** The numbers of the headlines and inline tasks, by where each begins. */
  readonly headlines: ReadonlyMap<number, number>;
  readonly secrecyOf: (node: OrgNode) => Label["secrecy"];
  readonly describe: ReturnType<typeof nodeDescriber>;
  readonly maskPart: MaskPart;
};

/**
 * A page: its nodes, and the place of the node that the next page begins with; null at the end of the tree.
 */
export type TreePage = { readonly nodes: readonly JsonObject[]; readonly next: number | null };

/** UTF-16 units of the nodes of a page as JSON; the node with which they are more is the page's last one. */
const mostOfPage = 1_000_000;
/** UTF-16 units of the names and strings of one node, at most. */
const mostOfNode = 10_000;

/** Lists the nodes of a tree. Of an encrypted entry only the heading is among them, as everywhere. */
export function listTree({ text, tree, labels, secrets }: ReadTree): Promise<ShownTree> {
  const secrecyOf = (node: OrgNode): Label["secrecy"] =>
    labels.get(node.type === "org-data" ? -1 : node.type === "headline" ? node.begin : -2)?.secrecy ??
    "public";
  const nodes: ListedNode[] = [];
  const headlines = new Map<number, number>();
  const [describe, maskPart] = [nodeDescriber(text, "char"), makeKeyMasker(text, secrets)];
  return runInSlices(
    (function* () {
      for (const listed of listNodes(tree, (one) => secrecyOf(one) !== "secret")) {
        const { type, begin } = listed.node;
        if (type === "headline" || type === "inlinetask") headlines.set(begin, nodes.length);
        nodes.push(listed);
        if (nodes.length % 100 === 0) yield;
      }
      return { nodes, headlines, secrecyOf, describe, maskPart };
    })(),
  );
}

/**
 * A page of a tree, or of what the node of a number has in it, with ranges in code points. Keys are masked,
 * and long strings are cut.
 */
export async function pageOfTree(
  { nodes: all, secrecyOf, describe, maskPart }: ShownTree,
  { top, first, limit }: { readonly top: number; readonly first: number; readonly limit: number },
): Promise<TreePage> {
  const end = all[top]?.node.end ?? 0;
  const yieldToEventLoop = makeEventLoopYield();
  const nodes: JsonObject[] = [];
  let size = 0;
  for (let number = top + first; ; number += 1) {
    const listed = all[number];
    if (listed === undefined || (top > 0 && listed.node.begin >= end)) return { nodes, next: null };
    if (nodes.length === limit || size > mostOfPage) return { nodes, next: number - top };
    const { node, parent, place } = listed;
    const secrecy = secrecyOf(node);
    const shown: JsonObject = {
      ...(number === top || parent < 0 ? {} : { parent: parent - top }),
      ...(place === "children" ? {} : { in: keyOf(place) }),
      ...(secrecy === "public" ? {} : { secrecy }),
      ...shownProperties(describe(node), maskPart(node)),
    };
    nodes.push(shown);
    size += JSON.stringify(shown).length;
    const wait = yieldToEventLoop();
    if (wait !== null) await wait;
  }
}

/** `contentsBegin` is `contents-begin`. */
function keyOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function shownProperties(properties: ReadonlyMap<string, unknown>, mask: MaskString): JsonObject {
  const room = { left: mostOfNode, cut: 0 };
  const shown: { [key: string]: Json } = {};
  for (const [name, value] of properties)
    shown[keyOf(name)] = name === "type" ? String(value) : shownValue(value, mask, room);
  return room.cut === 0 ? shown : { ...shown, left: room.cut };
}

type Room = { left: number; cut: number };

/** A value with its keys masked, and cut to the room that is left. */
function shownValue(value: unknown, mask: MaskString, room: Room): Json {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") {
    const { shown, left } = mask(value, room.left);
    room.left -= shown.length;
    room.cut += left;
    return shown;
  }
  if (Array.isArray(value)) return shownItems(value, mask, room);
  return typeof value === "object" && value !== null ? shownEntries(value, mask, room) : null;
}

function shownItems(items: readonly unknown[], mask: MaskString, room: Room): Json {
  const shown: Json[] = [];
  for (const item of items) {
    if (room.left <= 0) break;
    room.left -= 1;
    shown.push(shownValue(item, mask, room));
  }
  room.cut += items.length - shown.length;
  return shown;
}

/**
 * Names of affiliated keywords are in upper case in a tree. The owner of a file chooses them, so they need
 * room as well.
 */
function shownEntries(value: object, mask: MaskString, room: Room): Json {
  const shown: { [key: string]: Json } = {};
  for (const [name, item] of Object.entries(value)) {
    if (name.length >= room.left) room.cut += name.length;
    else {
      room.left -= name.length;
      shown[name.toLowerCase()] = shownValue(item, mask, room);
    }
  }
  return shown;
}

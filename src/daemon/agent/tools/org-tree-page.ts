import { listNodes, nodeDescriber, type OrgNode } from "#org";
import type { Json, JsonObject } from "../../../signal/json.ts";
import type { Label } from "../../../signal/label.ts";
import { beginOf } from "../../../signal/text/cut-text.ts";

/** The place of a key in the text, and the rule that found it. */
type SecretSpan = { readonly rule: string; readonly start: number; readonly end: number };

/** A tree with what decides how its nodes are shown. */
export type ShownTree = {
  readonly text: string;
  readonly top: OrgNode;
  /** The labels of the entries, by where each begins, and of the file at -1. */
  readonly labels: ReadonlyMap<number, Label>;
  /** The keys in the text, in order. */
  readonly secrets: readonly SecretSpan[];
};

/** A page: its nodes, and the place of the node that the next page begins with; null at the end of the tree. */
export type TreePage = { readonly nodes: readonly JsonObject[]; readonly next: number | null };

/** UTF-16 units of the nodes of a page as JSON; the node with which they are more is the page's last one. */
const mostOfPage = 1_000_000;
/** UTF-16 units of the strings of one node, at most. */
const mostOfNode = 10_000;

/**
 * A page of a tree as a list of nodes, with ranges in code points. Keys are masked, long strings are cut, and of an encrypted entry only the heading is shown, as
 * everywhere.
 */
export function pageOfTree(
  { text, top, labels, secrets }: ShownTree,
  { first, limit }: { readonly first: number; readonly limit: number },
): TreePage {
  const secrecyOf = (node: OrgNode): Label["secrecy"] =>
    labels.get(node.type === "org-data" ? -1 : node.type === "headline" ? node.begin : -2)?.secrecy ??
    "public";
  const describe = nodeDescriber(text, "char");
  const nodes: JsonObject[] = [];
  let size = 0;
  let number = 0;
  for (const { node, parent, place } of listNodes(top, (one) => secrecyOf(one) !== "secret")) {
    if (number >= first) {
      if (nodes.length === limit || size > mostOfPage) return { nodes, next: number };
      const secrecy = secrecyOf(node);
      const shown: JsonObject = {
        ...(parent < 0 ? {} : { parent }),
        ...(place === "children" ? {} : { in: keyOf(place) }),
        ...(secrecy === "public" ? {} : { secrecy }),
        ...shownProperties(describe(node), keysIn(node, text, secrets)),
      };
      nodes.push(shown);
      size += JSON.stringify(shown).length;
    }
    number += 1;
  }
  return { nodes, next: null };
}

/** A key, or the part of it that stands in a node. */
type MaskedKey = { readonly key: string; readonly mask: string };

/** The parts of keys that stand in the range of a node. */
function keysIn({ begin, end }: OrgNode, text: string, secrets: ShownTree["secrets"]): readonly MaskedKey[] {
  if (secrets.length === 0) return [];
  return secrets
    .filter((span) => span.start < end && span.end > begin)
    .map(({ rule, start, end: last }) => ({
      key: text.slice(Math.max(start, begin), Math.min(last, end)),
      mask: `[masked: ${rule}]`,
    }));
}

/** `contentsBegin` is `contents-begin`. */
function keyOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function shownProperties(properties: ReadonlyMap<string, unknown>, keys: readonly MaskedKey[]): JsonObject {
  const room = { left: mostOfNode, cut: 0 };
  const shown: { [key: string]: Json } = {};
  for (const [name, value] of properties) shown[keyOf(name)] = shownValue(value, keys, room);
  return room.cut === 0 ? shown : { ...shown, left: room.cut };
}

type Room = { left: number; cut: number };

/** A value with its keys masked, and cut to the room that is left. Names of affiliated keywords are in upper case in a tree. */
function shownValue(value: unknown, keys: readonly MaskedKey[], room: Room): Json {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "string") {
    const masked = keys.reduce((said, { key, mask }) => said.replaceAll(key, () => mask), value);
    const fitting = beginOf(masked, room.left);
    room.left -= fitting.length;
    room.cut += masked.length - fitting.length;
    return fitting;
  }
  if (Array.isArray(value)) {
    const shown: Json[] = [];
    for (const item of value) {
      if (room.left <= 0) break;
      room.left -= 1;
      shown.push(shownValue(item, keys, room));
    }
    room.cut += value.length - shown.length;
    return shown;
  }
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toLowerCase(), shownValue(item, keys, room)]),
  );
}

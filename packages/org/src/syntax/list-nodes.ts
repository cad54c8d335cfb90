import type { OrgNode } from "./node.ts";
import { isNode, isNodes, nodeEntries, offsetsIn, type Units } from "./to-json.ts";

/** The place of what a node contains. */
const contents = "children";

/** A node of a tree as one item of a list. */
export type ListedNode = {
  /** The place in the list of the node that it is in; -1 for the first. */
  readonly parent: number;
  /** The property of that node that holds it, such as `title`; `children` for what its contents are. */
  readonly place: string;
  readonly node: OrgNode;
};

/**
 * The nodes of a tree in the order in which a batch Emacs prints them, each after the node that it is in.
 * The contents of a node that is not open are left out. It has no recursion, so that no nesting is too
 * deep.
 */
export function* listNodes(tree: OrgNode, isOpen = (_: OrgNode) => true): Generator<ListedNode> {
  const left: ListedNode[] = [{ parent: -1, place: contents, node: tree }];
  let count = 0;
  for (let listed = left.pop(); listed !== undefined; listed = left.pop()) {
    yield listed;
    const parent = count;
    const inside: ListedNode[] = [];
    for (const [place, value] of nodeEntries(listed.node, unchanged)) {
      if (place === contents && !isOpen(listed.node)) continue;
      for (const node of nodesIn(value)) inside.push({ parent, place, node });
    }
    for (const one of inside.toReversed()) left.push(one);
    count += 1;
  }
}

/**
 * Makes a function that tells what the tree says of a node of a text, without the nodes in it: names and
 * values as a batch Emacs prints them, and what stands in a piece of plain text.
 */
export function nodeDescriber(text: string, units: Units): (node: OrgNode) => ReadonlyMap<string, unknown> {
  const offset = offsetsIn(text, units);
  return (node) => {
    const own = new Map<string, unknown>();
    for (const [name, value] of nodeEntries(node, offset))
      if (nodesIn(value).length === 0) own.set(name, value);
    if (node.type === "text") own.set("value", text.slice(node.begin, node.end));
    return own;
  };
}

function nodesIn(value: unknown): readonly OrgNode[] {
  return isNode(value) ? [value] : isNodes(value) ? value : [];
}

function unchanged(at: number): number {
  return at;
}

import type { OrgNode } from "./node.ts";

/**
 * The text of a tree, put together from its tiles: of each node what stands before its contents, its children one after the other, and what
 * stands after them. A tree that does not tile its text prints another text.
 */
export function printOrg(text: string, tree: OrgNode): string {
  const parts: string[] = [];
  const left: (OrgNode | string)[] = [tree];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { begin, end, contentsBegin, contentsEnd, children } = next;
    if (children.length === 0) {
      parts.push(text.slice(begin, end));
      continue;
    }
    parts.push(text.slice(begin, contentsBegin));
    left.push(text.slice(contentsEnd, end));
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child !== undefined) left.push(child);
    }
  }
  return parts.join("");
}

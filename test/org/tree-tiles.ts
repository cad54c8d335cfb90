import type { OrgNode } from "#org";

/** Where a tree does not tile its text, in words: children must begin where the contents do, touch each other, and end where the contents end. */
export function gapsIn(tree: OrgNode): readonly string[] {
  const gaps: string[] = [];
  const left: OrgNode[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { type, begin, end, contentsBegin, contentsEnd, children } = node;
    const say = (what: string): void => void gaps.push(`${type} [${begin}, ${end}): ${what}`);
    if (begin > end) say("ends before it begins");
    if (contentsBegin === -1 && children.length > 0) say("children without contents");
    if (contentsBegin !== -1 && (contentsBegin < begin || contentsEnd > end || contentsBegin > contentsEnd))
      say(`contents [${contentsBegin}, ${contentsEnd}) outside of it`);
    let at = contentsBegin;
    for (const child of children) {
      if (child.begin !== at) say(`${child.type} begins at ${child.begin}, not at ${at}`);
      at = child.end;
    }
    if (children.length > 0 && at !== contentsEnd) say(`its children end at ${at}, not at ${contentsEnd}`);
    left.push(...children);
    const inside = secondary(node);
    for (const [index, next] of inside.entries()) {
      const before = inside[index - 1];
      if (before !== undefined && before.end !== next.begin)
        say(`${next.type} of its text begins at ${next.begin}`);
    }
    left.push(...inside);
  }
  return gaps;
}

function secondary(node: OrgNode): readonly OrgNode[] {
  if (node.type === "headline" || node.type === "inlinetask") return node.properties.title;
  return node.type === "item" ? node.properties.tag : [];
}

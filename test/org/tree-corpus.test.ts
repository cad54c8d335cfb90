import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOrg, printOrg, treeToJson } from "#org";
import { type GoldenNode, noGoldens, readGoldens } from "./outline-goldens.ts";
import { gapsIn } from "./tree-tiles.ts";

const targets: ReadonlyMap<string, number> = new Map([
  ["whole files", 0.99],
  ["fragments", 0.99],
  ["src-block", 0.999],
  ["link", 0.995],
  ["plain-list", 0.995],
  ["item", 0.995],
  ["table", 0.995],
  ["table-row", 0.995],
  ["table-cell", 0.995],
]);
const otherwise = 0.99;

type Tally = { same: number; all: number; examples: string[] };

test("syntax trees are Emacs's own, node by node", { skip: noGoldens }, (t) => {
  const tallies = new Map<string, Tally>();
  for (const { text, golden } of readGoldens()) {
    const ours = ownTree(text);
    const whole = golden.file.endsWith(".org") ? "whole files" : "fragments";
    const same = JSON.stringify(ours) === JSON.stringify(golden.ast);
    note(tallies, whole, { same, example: golden.file });
    for (const [type, theirs] of nodesByType(golden.ast)) {
      const known = new Set(nodesByType(ours).get(type));
      for (const node of theirs)
        note(tallies, type, { same: known.has(node), example: `${golden.file}: ${node}` });
    }
  }
  for (const [what, { same, all, examples }] of tallies) {
    t.diagnostic(`${what}: ${same} of ${all}, ${((100 * same) / all).toFixed(2)} %`);
    assert.ok(same / all >= (targets.get(what) ?? otherwise), `${what}\n${examples.slice(0, 5).join("\n")}`);
  }
  for (const what of targets.keys()) assert.ok((tallies.get(what)?.all ?? 0) >= 10, what);
});

test("every file and fragment is printed back from the tiles of its tree, without a gap", {
  skip: noGoldens,
}, () => {
  for (const { text, golden } of readGoldens()) {
    const tree = parseOrg(text);
    assert.deepEqual(gapsIn(tree), [], golden.file);
    assert.equal(printOrg(text, tree), text, golden.file);
  }
});

function ownTree(text: string): GoldenNode {
  return JSON.parse([...treeToJson(text, parseOrg(text))].join(""));
}

function note(
  tallies: Map<string, Tally>,
  what: string,
  { same, example }: { same: boolean; example: string },
): void {
  const tally = tallies.get(what) ?? { same: 0, all: 0, examples: [] };
  tallies.set(what, tally);
  tally.all += 1;
  if (same) tally.same += 1;
  else tally.examples.push(example);
}

/** What each node says of itself, its children left out, by its type. */
function nodesByType(tree: GoldenNode): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const left: GoldenNode[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { children = [], ...own } = node;
    const known = found.get(node.type);
    if (known === undefined) found.set(node.type, [JSON.stringify(own)]);
    else known.push(JSON.stringify(own));
    left.push(...children, ...(node.title ?? []));
  }
  return found;
}

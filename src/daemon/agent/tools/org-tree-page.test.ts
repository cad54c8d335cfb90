import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOrg } from "#org";
import { makeNeedles } from "../../../gate/secrets/needles.ts";
import { scanSecrets } from "../../../gate/secrets/secrets.ts";
import type { JsonObject } from "../../../text/json.ts";
import { listTree, pageOfTree } from "./org-tree-page.ts";
import { makeTreeKeeper } from "./tree-keeper.ts";

const showTree = (text: string) =>
  listTree({
    text,
    tree: parseOrg(text),
    labels: new Map(),
    secrets: scanSecrets(text, makeNeedles([])),
  });

async function nodesOf(text: string): Promise<readonly JsonObject[]> {
  const { nodes } = await pageOfTree(await showTree(text), { top: 0, first: 0, limit: 10_000 });
  return nodes;
}

/** A key that no other number has, put together here so that no scanner takes this file for a leak. */
const keyOf = (number: number): string =>
  `ghp_${"q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2"}${String(number).padStart(4, "0")}`;

test("a block of thousands of keys has each masked as far as it is shown, and says how much is left out", async () => {
  const lines = Array.from({ length: 9999 }, (_, number) => `  ${keyOf(number)} 😀\n`).join("");
  const block = (await nodesOf(`#+begin_src x\n${lines}#+end_src\n`)).find(
    ({ type }) => type === "src-block",
  );
  const shown = String(block?.["value"]);
  assert.ok(shown.length > 9900 && shown.length <= 10_000);
  assert.match(shown, /^( {2}\[masked: github-token\] 😀\n)+[^\n]*$/);
  assert.ok(!shown.includes("q7Zt") && Number(block?.["left"]) > 350_000);
});

test("a key is masked in whatever is made from it, and so is each piece that marks divide it into", async () => {
  const key = keyOf(1);
  const texts = [
    `* A ${key} :x:\n`,
    `#+CAPTION: ${key}\n| a |\n`,
    `=${key}= and ~${key}~ [[https://a.example/${key}][b]]\n`,
    `- ${key} :: ${key}\n`,
    `: ${key}\n: ${key}\n`,
    `# ${key}\n`,
    `:PROPERTIES:\n:KEY: ${key}\n:END:\n`,
  ];
  for (const text of texts) {
    const said = JSON.stringify(await nodesOf(text));
    assert.ok(!said.includes(key.slice(4, 20)) && said.includes("[masked: "), said);
  }
  const text = "ab =cdef= gh\n";
  const spans = [{ rule: "made-up", start: 1, end: 8 }];
  const tree = await listTree({ text, tree: parseOrg(text), labels: new Map(), secrets: spans });
  const { nodes } = await pageOfTree(tree, { top: 0, first: 0, limit: 10 });
  const values = nodes.flatMap(({ value }) => value ?? []);
  assert.deepEqual(values.at(0), "a[masked: made-up]");
  assert.ok(!JSON.stringify(nodes).includes("cdef"), JSON.stringify(nodes));
});

test("the names of a node need room as its strings do", async () => {
  const text = `${Array.from({ length: 30_000 }, (_, at) => `#+ATTR_A${at}: x\n`).join("")}p\n`;
  for (const node of await nodesOf(text)) assert.ok(JSON.stringify(node).length < 60_000);
  const [, , paragraph] = await nodesOf("#+ATTR_HTML: :width 3\n#+NAME: a\np\n");
  assert.deepEqual(paragraph?.["affiliated"], { attr_html: [":width 3"], name: "a" });
});

test("a page of one entry ends where that ends, whatever number it begins with", async () => {
  const text = "* A\n** B\nb\n** C\nc\n* D\n";
  const tree = await showTree(text);
  const top = tree.headlines.get(text.indexOf("** B")) ?? -1;
  const page = (first: number, limit: number) => pageOfTree(tree, { top, first, limit });
  const { nodes } = await page(0, 100);
  assert.deepEqual(
    [nodes[0]?.["raw-value"], nodes[0]?.["parent"], nodes[1]?.["parent"]],
    ["B", undefined, 0],
  );
  assert.ok(!JSON.stringify(nodes).includes('"C"'));
  const single: JsonObject[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const one: Awaited<ReturnType<typeof page>> = await page(next, 1);
    single.push(...one.nodes);
    next = one.next;
  }
  assert.deepEqual(single, nodes);
  assert.deepEqual(await page(nodes.length, 100), { nodes: [], next: null });
});

test("trees are kept for several who ask, the last ones, and no more than fit", () => {
  const keeper = makeTreeKeeper<{ readonly length: number }>(10);
  const [one, two, three] = [{ length: 5 }, { length: 5 }, { length: 5 }];
  keeper.keep("one", one);
  keeper.keep("two", two);
  assert.deepEqual([keeper.find("two"), keeper.find("one")], [two, one]);
  keeper.keep("three", three);
  assert.deepEqual(["one", "two", "three"].map(keeper.find), [one, undefined, three]);
  keeper.drop("one");
  assert.equal(keeper.find("one"), undefined);
  const large = { length: 20 };
  keeper.keep("large", large);
  assert.deepEqual([keeper.find("large"), keeper.find("three")], [large, undefined]);
});

test("a kept tree waits a minute for each further page", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const keeper = makeTreeKeeper<{ readonly length: number }>(10);
  const tree = { length: 5 };
  keeper.keep("one", tree);
  for (let page = 0; page < 3; page += 1) {
    t.mock.timers.tick(59_000);
    assert.equal(keeper.find("one"), tree);
  }
  t.mock.timers.tick(60_000);
  assert.equal(keeper.find("one"), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeTreeNotes } from "../../../../test/org/tree-notes.ts";
import { gapsIn } from "../../../../test/org/tree-tiles.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import type { NodeOf, NodeType, OrgNode } from "./node.ts";
import { parseEntry } from "./parse-section.ts";
import { printOrg } from "./print.ts";
import { treeToJson } from "./to-json.ts";
import { parseOrg, syntaxSettings } from "./tree.ts";

// 100,000 with ORG_FUZZ=100000; from another seed on by ORG_SEED.
const fuzzed = Number(process.env["ORG_FUZZ"] ?? 4000);
const seed = Number(process.env["ORG_SEED"] ?? 1);

function all<T extends NodeType>(text: string, type: T, options = {}): readonly NodeOf<T>[] {
  const found: NodeOf<T>[] = [];
  const isOf = (node: OrgNode): node is OrgNode & NodeOf<T> => node.type === type;
  const left: OrgNode[] = [parseOrg(text, options)];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isOf(node)) found.push(node);
    const title = node.type === "headline" || node.type === "inlinetask" ? node.properties.title : [];
    left.push(...[...title, ...node.children].reverse());
  }
  return found;
}

function only<T extends NodeType>(text: string, type: T, options = {}): NodeOf<T> {
  const [found, ...more] = all(text, type, options);
  assert.ok(found !== undefined, `no ${type} in ${text}`);
  assert.equal(more.length, 0, `more than one ${type} in ${text}`);
  return found;
}

const at = (text: string, { begin, end }: { begin: number; end: number }): string => text.slice(begin, end);
const types = ({ children }: OrgNode): readonly string[] => children.map(({ type }) => type);

test("a section is planning, properties, and then elements as they come", () => {
  const text =
    "* TODO [#A] Title [1/2] :a:b:\nSCHEDULED: <2024-01-01 Mon>\n:PROPERTIES:\n:ID: x\n:END:\ntext\n\n" +
    "| a | b |\n#+TBLFM: $1=2\n#+begin_quote\n- one\n- two :: three\n#+end_quote\n-----\n# note\n: fixed\n";
  const [section] = all(text, "section");
  assert.ok(section !== undefined);
  assert.deepEqual(types(section), [
    "planning",
    "property-drawer",
    "paragraph",
    "table",
    "quote-block",
    "horizontal-rule",
    "comment",
    "fixed-width",
  ]);
  const { todoKeyword, priority, tags, title } = only(text, "headline").properties;
  assert.deepEqual(
    [todoKeyword, priority, tags, title.map(({ type }) => type)],
    ["TODO", "A", ["a", "b"], ["text", "statistics-cookie"]],
  );
  assert.deepEqual(only(text, "table").properties.tblfm, ["$1=2"]);
  const [paragraph] = all(text, "paragraph");
  assert.deepEqual([paragraph?.postBlank, at(text, paragraph ?? section)], [1, "text\n\n"]);
});

test("each block is read as what it is, and one that nothing closes is a paragraph", () => {
  const blocks: readonly (readonly [string, NodeType])[] = [
    ["quote", "quote-block"],
    ["center", "center-block"],
    ["verse", "verse-block"],
    ["SRC sh", "src-block"],
    ["example", "example-block"],
    ["comment", "comment-block"],
    ["export html", "export-block"],
    ["aside", "special-block"],
  ];
  for (const [name, type] of blocks) {
    const text = `#+begin_${name}\nx\n#+END_${name.split(" ")[0]}\n`;
    assert.equal(only(text, type).end, text.length);
    assert.equal(all(text.slice(0, -6), "paragraph").length, 1, name);
  }
  assert.equal(only("#+begin: clocktable :x y\n#+end:\n", "dynamic-block").properties.arguments, ":x y");
  assert.equal(only("\\begin{a}\nx\n\\end{a}\n", "latex-environment").postBlank, 0);
});

test("a source block has its language, switches and parameters, and lines without the commas that protect them", () => {
  const { properties } = only('#+begin_src sh -n 5 -l "x" :a b\n,* x\n,,#+y\n, z\n#+end_src\n', "src-block");
  const { language, switches, parameters, value, numberLines } = properties;
  assert.deepEqual([language, switches, parameters], ["sh", '-n 5 -l "x"', ":a b"]);
  assert.equal(value, "* x\n,#+y\n, z\n");
  assert.deepEqual(numberLines, { kind: "new", before: 4 });
});

test("affiliated keywords belong to the element below them, or to nothing", () => {
  const table = only("#+NAME: n\n#+caption[s]: long *b*\n#+attr_html: :a\n#+ATTR_HTML: :b\n| x |\n", "table");
  assert.deepEqual(
    [...(table.affiliated ?? [])],
    [
      ["NAME", "n"],
      ["CAPTION", ["long *b*"]],
      ["ATTR_HTML", [":a", ":b"]],
    ],
  );
  assert.equal(table.begin, 0);
  assert.equal(all("#+NAME: n\n\n| x |\n", "keyword").length, 1);
  assert.equal(all("#+NAME: n\n#+NAME: m\n", "keyword").length, 2);
});

test("a list nests by its indentation, and two blank lines end it", () => {
  const text = "- one\n  - in\n\n    more\n- [X] two\n- tag :: three\n\n\nafter\n";
  const lists = all(text, "plain-list");
  assert.deepEqual(
    lists.map((list) => at(text, list)),
    ["- one\n  - in\n\n    more\n- [X] two\n- tag :: three\n\n\n", "  - in\n\n    more\n"],
  );
  const items = all(text, "item");
  assert.deepEqual(
    items.map(({ properties: { checkbox, tag } }) => [checkbox, tag.length]),
    [
      [null, 0],
      [null, 0],
      ["on", 0],
      [null, 1],
    ],
  );
  assert.equal(all("1. [@5] x\n2. y\n", "item")[0]?.properties.counter, 5);
});

const objects: readonly (readonly [string, NodeType])[] = [
  ["*a*", "bold"],
  ["/a\nb/", "italic"],
  ["_a_", "underline"],
  ["+a+", "strike-through"],
  ["=a=", "verbatim"],
  ["~a~", "code"],
  ["[[id:x][y]]", "link"],
  ["<https://x.org/a b>", "link"],
  ["https://x.org/(a)", "link"],
  ["<2024-01-01 Mon>--<2024-01-02 Tue>", "timestamp"],
  ["\\alpha{}", "entity"],
  ["$x^2$", "latex-fragment"],
  ["\\(x\\)", "latex-fragment"],
  ["[fn:1]", "footnote-reference"],
  ["[fn::a [b] c]", "footnote-reference"],
  ["[cite/t:see @a p. 1;@b]", "citation"],
  ["@@html:<b>@@", "export-snippet"],
  ["call_f[x](y)[z]", "inline-babel-call"],
  ["src_sh[:a b]{x {y}}", "inline-src-block"],
  ["{{{m(a, b)}}}", "macro"],
  ["[2/3]", "statistics-cookie"],
  ["<<t>>", "target"],
];

test("each object is found between words, with the blanks behind it", () => {
  for (const [written, type] of objects) {
    const text = `one ${written}  two\n`;
    const node = only(text, type);
    assert.equal(at(text, node), `${written}  `, written);
    assert.equal(node.postBlank, 2, written);
  }
  assert.equal(only("a_{b c}\n", "subscript").properties.useBrackets, true);
  assert.equal(only("a^2\n", "superscript").properties.useBrackets, false);
  assert.equal(only("a\\\\  \nb\n", "line-break").end, 6);
});

test("what only looks like an object is text", () => {
  const texts = [
    "a*b*",
    "* a *x",
    "=a =",
    "[[a]",
    "<2024-1-1>",
    "$a $b",
    "call_",
    "src_sh",
    "a [fn:]",
    "{{{1}}}",
    "@@a",
  ];
  for (const text of texts) {
    const inside = types(only(`x ${text}`, "paragraph")).filter((type) => type !== "subscript");
    assert.deepEqual(inside, ["text"], text);
  }
});

test("what has no key at the end of a citation is text of it", () => {
  const text = "[cite:@a;b @\n;c]\n";
  assert.deepEqual(types(only(text, "citation")), ["citation-reference", "text"]);
  assert.equal(printOrg(text, parseOrg(text)), text);
});

test("the text of a radio target is a link wherever it stands", () => {
  const links = all("<<<Some thing>>> and some\nthing, not something.\n", "link");
  assert.deepEqual(
    links.map(({ properties: { linkType, path } }) => [linkType, path]),
    [["radio", "some\nthing"]],
  );
});

test("a link's abbreviation is written out, and no function in it is called", () => {
  const raw = (setting: string) => only(`#+LINK: x ${setting}\n\n[[x:y z]]\n`, "link").properties.rawLink;
  assert.equal(raw("http://%s.org"), "http://y z.org");
  assert.equal(raw("http://%h.org"), "http://y%20z.org");
  assert.equal(raw("http://"), "http://y z");
  assert.equal(raw("%(shell-command)"), "x:y z");
});

test("fifteen stars are a headline, and an inline task where that is asked for", () => {
  const text = `* a\n${"*".repeat(15)} TODO task :t:\ninside\n${"*".repeat(15)} END\nafter\n`;
  assert.equal(all(text, "headline").length, 3);
  const task = only(text, "inlinetask", { inlineTasks: true });
  assert.deepEqual(
    [task.properties.todoKeyword, task.properties.tags, types(task)],
    ["TODO", ["t"], ["paragraph"]],
  );
});

test("a section alone is what it is in the tree of its file", () => {
  const text = "#+TODO: NEXT | OK\nfirst *b*\n* NEXT h\n#+begin_src sh\n#+end_src\n- a\n* i\n[fn:1] x\n";
  const outline = scanOutline(text);
  const settings = syntaxSettings(outline.settings);
  const sections = [null, ...outline.headlines].flatMap((headline) =>
    parseEntry(outline, headline, { settings, filter: () => true }).filter(({ type }) => type === "section"),
  );
  assert.deepEqual(sections, all(text, "section"));
});

test("any text tiles without a gap and is printed back, and nothing throws", () => {
  const sorts = ["pieces", "elements", "characters"] as const;
  for (let index = 0; index < fuzzed; index += 1) {
    const sort = sorts[index % 3] ?? "pieces";
    const text = makeTreeNotes(seed + index, sort);
    const tree = parseOrg(text, { inlineTasks: index % 2 === 1 });
    assert.deepEqual(gapsIn(tree), [], JSON.stringify(text));
    assert.equal(printOrg(text, tree), text);
    assert.doesNotThrow(() => JSON.parse([...treeToJson(text, tree)].join("")));
  }
});

test("any characters at all tile, with their halves and controls", () => {
  const character = fc.oneof(
    fc.constantFrom(..."*[]<>{}()|#+:-_^~=/$\\@%\n \t\r\f\v\u00a0\u2028\ud83d\udce9"),
    fc.string({ unit: "binary", maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 80 }), (characters) => {
      const text = characters.join("");
      const tree = parseOrg(text);
      assert.deepEqual(gapsIn(tree), []);
      assert.equal(printOrg(text, tree), text);
    }),
    { numRuns: fuzzed, seed },
  );
});

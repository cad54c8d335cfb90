import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gapsIn } from "../../../test/org/tree-tiles.ts";
import {
  agendaTimestamps,
  checkOrg,
  decodeOrgText,
  encodeOrgText,
  findTimestamps,
  linksByEntry,
  parseOrg,
  printOrg,
  readEntries,
  scanOutline,
  treeToJson,
} from "./org.ts";

/** One of each construct of Org. */
const constructs = [
  "* TODO [#A] COMMENT a [1/2] :b:c:\n",
  "* a\nSCHEDULED: <2024-01-01 Mon 10:00 +1w -2d> DEADLINE: <2024-01-02> CLOSED: [2024-01-03]\n",
  "* a\n:PROPERTIES:\n:ID: x\n:P+: y\n:END:\n:LOGBOOK:\nCLOCK: [2024-01-01 10:00]--[2024-01-01 11:00] =>  1:00\n:END:\n",
  "*************** a\n*************** END\n",
  "#+TODO: A(a@/!) | D(d)\n#+TAGS: [ g : {a.+} b ]\n#+FILETAGS: :x:\n#+PROPERTY: P+ v\n",
  "#+LINK: l http:%s\n[[l:a]] [[a][b]] [[*a]] [[#a]] [[(a)]] [[file:a::b]] [[id:a]]\n",
  "x <<<a>>> a <<b>> [[b]]\n",
  "<https://a.b> https://a.b/(c) id:a <id:a> mailto:a@b\n",
  "*a* /b/ _c_ +d+ =e= ~f~ a_b a_{c} a^d\n",
  "$a$ $$b$$ \\(c\\) \\[d\\] \\alpha{} \\_  \\command[a]{b} \\\\\n",
  "\\begin{a}\nb\n\\end{a}\n",
  "{{{a(b\\,c,d)}}}\n#+MACRO: a $1\n",
  "[fn:1] [fn::a] [fn:b:c]\n\n[fn:1] a\n",
  "[cite/a/b:p @c s; @d] @@html:a@@ src_a[b]{c} call_a[b](c)[d]\n",
  "[2024-01-01 Mon]--[2024-01-02] <%%(a b)> <2024-01-01 10:00-11:00>\n",
  "- [ ] a :: b\n- [@2] c\n  1. [X] d\n",
  "| a | b |\n|---+---|\n| <l> | c |\n#+TBLFM: $1=$2\n+-+\n| a |\n+-+\n",
  '#+name: a\n#+caption[b]: c\n#+attr_html: :d e\n#+begin_src f -n 3 -r -l "(g:%s)" :h i\ncode (g:j)\n#+end_src\n',
  "#+begin_quote\na\n#+end_quote\n#+begin: b :c d\n#+end:\n#+begin_example\n,* a\n#+end_example\n#+begin_export html\na\n#+end_export\n",
  ":a:\nb\n:end:\n: fixed\n# comment\n-----\n#+call: a(b)\n%%(a)\n",
];

/** Characters beyond the BMP, halves of one, and marks that join the character before. */
const additions = ["😀", "\ud83d", "\ude00", "𝕒", "é\u0301", "x😀<<<😀>>>😀"];

/** Reads a text in every way. Whatever does not advance never comes back. */
function readAll(text: string): void {
  const tree = parseOrg(text);
  assert.equal(printOrg(text, tree), text);
  assert.deepEqual(gapsIn(tree), []);
  assert.ok([...treeToJson(text, tree)].length > 0);
  const outline = scanOutline(text);
  readEntries(outline, "a");
  linksByEntry(outline);
  agendaTimestamps(outline, { category: "a", inactive: true });
  findTimestamps(text, { begin: 0, end: text.length });
  const source = decodeOrgText(Buffer.from(text));
  assert.deepEqual(decodeOrgText(encodeOrgText(source)), source);
  checkOrg([{ path: "a.org", source }], { hasFile: () => false, hasId: () => false });
}

function* places(text: string): Generator<readonly [before: string, after: string]> {
  for (let at = 0; at <= text.length; at += 1) yield [text.slice(0, at), text.slice(at)];
}

for (const construct of constructs) {
  test(`every reading of ${JSON.stringify(construct.slice(0, 30))} ends with any character at any place of it`, () => {
    for (const addition of additions)
      for (const [before, after] of places(construct)) readAll(before + addition + after);
  });
}

test("every reading of constructs, parts of them and characters beyond the BMP ends, in any order", () => {
  const part = fc
    .tuple(fc.constantFrom(...constructs), fc.nat(40), fc.nat(40))
    .map(([text, from, length]) => text.slice(from, from + length));
  const piece = fc.oneof(
    part,
    fc.constantFrom(...additions),
    fc.constantFrom("\n", " ", "* ", "<<<", ">>>", "[["),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      readAll(pieces.join(""));
    }),
    { numRuns: 1500 },
  );
});

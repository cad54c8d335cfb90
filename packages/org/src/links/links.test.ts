import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "../outline/scan-outline.ts";
import { nodeIdentityOf, splitQuoted } from "./identity.ts";
import { linksByEntry } from "./links.ts";

const found = (text: string) =>
  [...linksByEntry(scanOutline(text)).values()].flat().map(({ type, target }) => `${type} ${target}`);

test("links of every kind are found with what they are to", () => {
  assert.deepEqual(
    found("[[id:ab-1][x]] [[id:b::*h]] <https://a.b/c> [[#c]] [[*A b]] [[(ref)]] [[Some name]]"),
    ["id ab-1", "id b", "https //a.b/c", "custom-id c", "headline A b", "coderef ref", "fuzzy Some name"],
  );
  assert.deepEqual(found("See https://a.b/c_(d). Or (http://x.y/z), mailto:me@x.y!"), [
    "https //a.b/c_(d)",
    "http //x.y/z",
    "mailto me@x.y",
  ]);
  assert.deepEqual(found("[[./a b.org::*h][d [x] y]] [[~/c.png]] [[file:d.org]] [[file+sys:e]] file:f.org"), [
    "file ./a b.org",
    "file ~/c.png",
    "file d.org",
    "file e",
    "file f.org",
  ]);
  assert.deepEqual(found("[cite/t:see @doe2020 p. [3]; @roe:1] and [[cite:&a;&b]]"), [
    "cite doe2020",
    "cite roe:1",
    "cite a",
    "cite b",
  ]);
  assert.deepEqual(found("[[a\\]b]] [[a][b]c]] [[a\nb]]"), ["fuzzy a]b", "fuzzy a", "fuzzy a b"]);
});

test("an id is found in angle brackets, plain and behind an abbreviation, and a citation with its range", () => {
  const text = "#+LINK: n id:\n* a\n<id:x> id:yy [[n:z]] [[id:w::*h]]\n** b =id:v= [cite:@k]\n";
  const outline = scanOutline(text);
  const links = linksByEntry(outline);
  assert.deepEqual(
    outline.headlines.map((headline) =>
      links.get(headline)?.map(({ begin, end, type, target }) => [text.slice(begin, end), type, target]),
    ),
    [
      [
        ["<id:x>", "id", "x"],
        ["id:yy", "id", "yy"],
        ["[[n:z]]", "id", "z"],
        ["[[id:w::*h]]", "id", "w"],
      ],
      [["[cite:@k]", "cite", "k"]],
    ],
  );
});

test("what is code, verbatim, a comment or a keyword holds no links", () => {
  assert.deepEqual(found("=[[id:a]]= ~https://b.c~ (=http://x= [[id:d]]"), ["id d"]);
  assert.deepEqual(found("= [[id:a]] = x=[[id:b]]="), ["id a", "id b"]);
  assert.deepEqual(found("# [[id:a]]\n: [[id:b]]\n#+title: [[id:c]]\n#+caption: [[id:d]]\n"), ["id d"]);
  for (const block of ["src", "example", "comment", "export"]) {
    assert.deepEqual(found(`#+begin_${block} x\n[[id:a]]\n#+end_${block}\n[[id:b]]`), ["id b"]);
  }
  assert.deepEqual(found("#+begin_quote\n[[id:a]]\n#+end_quote\n#+begin_src\n[[id:b]]"), ["id a", "id b"]);
  assert.deepEqual(found("=[[id:a]]\n\nb= [[id:c]]"), ["id a", "id c"]);
});

test("a section's links are those of its heading and its own text, its drawer's excluded", () => {
  const text =
    "[[id:0]]\n* a [[id:1]]\n:PROPERTIES:\n:x: [[id:2]]\n:END:\n[[ab:cd]]\n** b\n[[id:4]]\n#+LINK: ab https://x/%s?\n";
  const outline = scanOutline(text);
  const links = linksByEntry(outline);
  const targets = [null, ...outline.headlines].map((headline) =>
    (links.get(headline) ?? []).map(({ begin, end, target }) => [text.slice(begin, end), target]),
  );
  assert.deepEqual(targets, [
    [["[[id:0]]", "0"]],
    [
      ["[[id:1]]", "1"],
      ["[[ab:cd]]", "//x/cd?"],
    ],
    [["[[id:4]]", "4"]],
  ]);
});

test("a node's identity is read from its drawer as Org-roam writes it", () => {
  const text =
    '* a\n:PROPERTIES:\n:ID: x\n:CUSTOM_ID: y\n:ROAM_ALIASES: "Second name" third "say \\"hi\\""\n:ROAM_REFS: https://e.org @doe cite:&roe;&moe [cite:@zoe]\n:ROAM_EXCLUDE: t\n:END:\n';
  const identity = nodeIdentityOf(scanOutline(text).headlines[0]?.properties ?? null);
  assert.deepEqual(identity, {
    id: "x",
    customId: "y",
    aliases: ["Second name", "third", 'say "hi"'],
    refs: [
      { type: "https", target: "//e.org" },
      { type: "cite", target: "doe" },
      { type: "cite", target: "roe" },
      { type: "cite", target: "moe" },
      { type: "cite", target: "zoe" },
    ],
    excluded: true,
  });
  assert.deepEqual(splitQuoted('a "b c'), ["a", "b c"]);
});

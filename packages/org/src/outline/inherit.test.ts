import assert from "node:assert/strict";
import { test } from "node:test";
import { allProperties, inheritCategories, inheritedProperty, inheritTags, propertyOf } from "./inherit.ts";
import { scanOutline } from "./scan-outline.ts";

const outline = scanOutline(`:PROPERTIES:
:p: file
:END:
#+FILETAGS: :f:g:
#+CATEGORY: kw
#+PROPERTY: q keyword
* a :x:f:
:PROPERTIES:
:p+: more
:category: own
:q: nil
:END:
** b
:PROPERTIES:
:P: deep
:p+: er
:p: deeper
:P+: still
:CATEGORY+: added
:END:
*** c :g:
* d
`);
const [a, b, c, d] = outline.headlines;

test("tags are the file's, those of the headlines above, and a headline's own, each at its last place", () => {
  assert.deepEqual(inheritTags(outline), [
    ["g", "x", "f"],
    ["g", "x", "f"],
    ["x", "f", "g"],
    ["f", "g"],
  ]);
});

test("a category is the nearest one, what is added to it included, else the file's", () => {
  assert.deepEqual(inheritCategories(outline, "name"), ["own", "own added", "own added", "kw"]);
  assert.deepEqual(inheritCategories(scanOutline("* a\n"), "name"), ["name"]);
});

test("an own property is the last line of its name, with what is added", () => {
  assert.equal(propertyOf(b?.properties ?? null, "p"), "deeper er still");
  assert.equal(propertyOf(a?.properties ?? null, "P"), "more");
  assert.equal(propertyOf(a?.properties ?? null, "Q"), null);
  assert.equal(propertyOf(null, "P"), null);
});

test("among all properties the first line of a name counts, as Emacs lists them", () => {
  assert.deepEqual(
    [...allProperties(b?.properties ?? null)],
    [
      ["P", "deep er still"],
      ["CATEGORY", "added"],
    ],
  );
});

test("an inherited property is the nearest one, with what is added below it", () => {
  assert.ok(a && b && c && d);
  const get = (headline: typeof a, name: string) => inheritedProperty(outline, headline, name);
  assert.deepEqual(
    [get(a, "p"), get(b, "p"), get(c, "p"), get(d, "p")],
    ["file more", "deeper er still", "deeper er still", "file"],
  );
  assert.deepEqual([get(a, "q"), get(c, "q"), get(d, "q"), get(d, "none")], [null, null, "keyword", null]);
});

test("a headline inherits the 200 nearest tags, so that thousands of tags over thousands of headlines stay few", () => {
  const names = (count: number, letter: string): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${letter}${index}`);
  const many = `:${names(4_000, "f").join(":")}:`;
  const headlines = (level: string) => names(4_000, "h").map((name) => `${level} x :${name}:\n`);
  for (const text of [
    `#+FILETAGS: ${many}\n${headlines("*").join("")}`,
    `${names(4_000, "f")
      .map((name) => `#+FILETAGS: ${name}\n`)
      .join("")}${headlines("*").join("")}`,
    `* top ${many}\n${headlines("**").join("")}`,
    `* top ${many}\n** between :b:\n${headlines("***").join("")}`,
  ]) {
    const tags = inheritTags(scanOutline(text));
    assert.deepEqual(tags.at(-1)?.slice(-2), [text.includes(":b:") ? "b" : "f3999", "h3999"]);
    const total = new Set(tags).values().reduce((sum, each) => sum + each.length, 0);
    assert.ok(total < 4_000 * 210, `${total} tags in all`);
  }
});

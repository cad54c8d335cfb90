import assert from "node:assert/strict";
import { test } from "node:test";
import { gapsIn } from "../../../../test/org/tree-tiles.ts";
import { leastTime } from "../../../../test/processor-time.ts";
import { printOrg } from "./print.ts";
import { treeToJson } from "./to-json.ts";
import { parseOrg } from "./tree.ts";

/** Letters of a short text. `npm run long` takes twice as many. */
const small = process.env["LONG"] === "all" ? 10_000 : 5_000;
const factor = 8;
/** Eight times the text in less than twenty-four times the time: what grows with the square of it takes sixty-four. */
const bound = 24;
/** Below this, a time says nothing. Milliseconds of the processor. */
const noise = small / 250;

const again = (text: string) => (count: number) => text.repeat(count);
const numbered = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

const texts: Readonly<Record<string, (count: number) => string>> = {
  stars: (count) => `x ${"*".repeat(count)}`,
  "bold that nothing closes": again("*a "),
  "square brackets": again("["),
  "links that nothing closes": again("[[a]["),
  "underscores with braces": again("a_{"),
  "pointed brackets": again("<"),
  "angle links that nothing closes": again("<http:"),
  "timestamps that nothing closes": again("<2024-01-01 "),
  "diary stamps that nothing closes": again("<%%("),
  "targets that nothing closes": again("<<<a"),
  dollars: again("$a "),
  "footnotes inside footnotes": (count) => "[fn::*a ".repeat(count) + "]".repeat(count),
  "citations inside citations": (count) => "[cite:@a ;".repeat(count) + "]".repeat(count),
  "macros that nothing closes": again("{{{a("),
  "inline source inside inline source": (count) => " src_a{".repeat(count) + "}".repeat(count),
  backslashes: (count) => `[[${"\\".repeat(count)}`,
  "plain links": again("http:(a"),
  "blanks inside": (count) => `[[a${" ".repeat(count)}b]] {{{a(${" ".repeat(count)}b)}}}`,
  "one row of cells": (count) => `|${" *a $b |".repeat(count)}`,
  "rows of cells": again("| a | b |\n"),
  "tables of table.el that do not end": again("+-+\n| a\n|\n"),
  "blocks that nothing closes": again("#+begin_src\n"),
  "blocks inside blocks": (count) =>
    numbered(count, (index) => `#+begin_a${index}\n`) +
    numbered(count, (index) => `#+end_a${count - 1 - index}\n`),
  "drawers that nothing closes": again(":a:\n"),
  "environments that nothing closes": again("\\begin{a}\n"),
  "affiliated keywords of nothing": again("#+name: x\n"),
  "affiliated keywords of one": (count) => `${"#+attr_a: x\n".repeat(count)}x`,
  "keyword with brackets": (count) => `x\n#+${"a[]".repeat(count)}`,
  "TODO words with keys that nothing closes": (count) => `#+TODO: ${"a(".repeat(count)}`,
  "calls that nothing closes": again("#+call: a(\n"),
  items: again("- a\n"),
  "items with blocks that nothing closes": again("- a\n  #+begin_src\n"),
  "tag marks": (count) => `- ${"a :: ".repeat(count)}`,
  headlines: again("* a\n"),
  planning: (count) => `* a\n${"SCHEDULED: <2024-01-01 ".repeat(count)}`,
  "clock lines": (count) => `CLOCK: [2024-01-01 ${"]--[2024-01-01 ".repeat(count)}`,
  "words that are radio links": (count) => `<<<a>>> ${"a ".repeat(count)}`,
  "empty lines": again("\n"),
  "many radio targets": (count) => numbered(count / 8, (index) => `<<<t${index}>>> t${index}\n`),
  "radio targets that begin alike": (count) =>
    numbered(count / 64, (index) => `<<<${"a ".repeat(index % 64)}b>>>\n`) + "a ".repeat(count),
  "radio targets of words that stand everywhere": (count) =>
    numbered(count / 8, (index) => `<<<word ${index}>>>\n`) + "word ".repeat(count / 2),
  "a radio target inside of a longer word": (count) => `<<<😀a>>> ${"b😀ab ".repeat(count / 4)}`,
  "many TODO words": (count) => `#+TODO: ${numbered(count / 4, (index) => `W${index} `)}\n`,
  "many lines of TODO words": (count) => numbered(count / 8, (index) => `#+TODO: W${index} | D${index}\n`),
  "citations of styles": again("[cite/a/b:@c] "),
};

/** Milliseconds of the processor for a text from its parsing to its JSON; less than `enough` is enough. */
function timeOf(text: string, enough: number): Promise<number> {
  return leastTime(() => {
    const tree = parseOrg(text);
    assert.ok(printOrg(text, tree) === text);
    let length = 0;
    for (const piece of treeToJson(text, tree)) length += piece.length;
    assert.ok(length > 0);
  }, enough);
}

for (const [name, make] of Object.entries(texts)) {
  test(`time grows with the length of the text: ${name}`, async () => {
    await timeOf(make(100), 0);
    const once = Math.max(noise, await timeOf(make(small), noise));
    const more = await timeOf(make(small * factor), bound * once);
    assert.ok(more < bound * once, `${more} ms of the processor for ${factor} times what took ${once}`);
  });
}

test("a list a thousand deep and blocks ten thousand deep are read, tile, and are printed", () => {
  const list = numbered(1000, (index) => `${" ".repeat(index)}- a\n`);
  const count = 10_000;
  const blocks = texts["blocks inside blocks"]?.(count) ?? "";
  for (const text of [
    list,
    blocks,
    `${"[fn::".repeat(count)}${"]".repeat(count)}`,
    numbered(2000, (index) => `${"*".repeat(index + 1)} a\n`),
  ]) {
    const tree = parseOrg(text);
    assert.deepEqual(gapsIn(tree), []);
    assert.ok(printOrg(text, tree) === text);
    const json = [...treeToJson(text, tree)].join("");
    assert.ok(json.startsWith('{"type":"org-data"') && json.endsWith("}"));
  }
});

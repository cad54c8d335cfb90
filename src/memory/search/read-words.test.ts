import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { baseForm } from "./irregular-words.ts";
import { makeWordReader, plainWords } from "./read-words.ts";
import { stemWord } from "./stem-word.ts";
import { isStopWord } from "./stop-words.ts";

test("a compound gives its parts in place, and itself as one word at the end", () => {
  const read = makeWordReader();
  assert.deepEqual(read("readFile opens some_old-name, twice"), [
    "read",
    "file",
    "open",
    "some",
    "old",
    "name",
    "twice",
    "readfil",
    "someoldnam",
  ]);
  assert.deepEqual(read("HTTPServer 4K a- -b x--y"), ["httpserver", "4k", "b", "x", "y"]);
  assert.deepEqual(read("4K camelCase"), ["4", "k", "camel", "case", "camelcas"]);
});

test("letters beside an accented letter belong to its word", () => {
  const read = makeWordReader();
  assert.deepEqual(read("l'été naïve-looking Zoë"), ["l", "et", "naiv", "look", "zoe", "naivelook"]);
});

/** The words of a text by their definition, from copies of all of it. */
function readByCopies(text: string): readonly string[] {
  const inParts = /\p{Ll}\p{Lu}|[\p{L}\p{N}][-_][\p{L}\p{N}]/u;
  const compounds = (text.match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu) ?? []).filter((one) =>
    inParts.test(one),
  );
  const wholes = compounds.map((compound) => compound.replace(/[-_]/g, "").toLowerCase());
  const apart = text.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ");
  const forms = plainWords(inParts.test(text) ? `${apart} ${wholes.join(" ")}` : text);
  return forms.filter((form) => !isStopWord(form)).map((form) => stemWord(baseForm(form)));
}

test("the words of a text do not depend on earlier texts", () => {
  const read = makeWordReader();
  const pieces = fc.constantFrom(
    "a",
    "b",
    "Z",
    "Q",
    "7",
    "-",
    "_",
    " ",
    "\n",
    "\u00a0",
    "é",
    "É",
    "e\u0301",
    "\u0301",
    "Σ",
    "ß",
    "ﬁ",
    "木",
    "かな",
    "ไทย",
    ".",
    "'",
    "went",
    "houses",
    "the",
    "K",
    "\u{1d400}",
    "\ud800",
    "\u0000",
    "—",
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(texts, (text) => assert.deepEqual(read(text), readByCopies(text))),
    { numRuns: 3000 },
  );
});

test("a reader gives the same words after its cache overflowed", () => {
  const read = makeWordReader();
  const words = Array.from({ length: 70_000 }, (_, number) => `q${number}`);
  assert.deepEqual(read(words.join(" ")), words);
  assert.deepEqual(read(words.join(" ")), words);
});

test("a word of megabytes is read like any other", () => {
  const read = makeWordReader();
  const hexadecimal = "7f".repeat(3_000_000);
  assert.deepEqual(read(`before ${hexadecimal} after`), ["befor", hexadecimal, "after"]);
  assert.deepEqual(read("before after"), ["befor", "after"]);
});

for (const word of ["y", "yy-", "aY", "s", "a_", "\u0301", "字"]) {
  test(`a long run of ${JSON.stringify(word)} is read in linear time`, () => {
    const read = makeWordReader();
    // Where the time grew with the square of the length, this would take hours.
    assert.ok(read(`${word.repeat(3_000_000 / word.length)} after`).includes("after"));
  });
}

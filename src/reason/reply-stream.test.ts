import assert from "node:assert/strict";
import { test } from "node:test";
import { openAnswerStream, type TextFilter } from "./reply-stream.ts";

const openStream = (filter: TextFilter, onText: (text: string) => void) =>
  openAnswerStream({ makeFilter: () => filter, filter: (text) => text }, { onText, onReset: () => {} });

const through = (...pieces: readonly string[]): string => {
  let shown = "";
  const stream = openStream({ push: (piece) => piece, end: () => "" }, (text) => {
    shown += text;
  });
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return shown;
};

test("a plain answer streams as it comes", () => {
  assert.equal(through("Hel", "lo", " (you)"), "Hello (you)");
});

test("nothing is streamed that could be the beginning of a proposal", () => {
  for (const text of ["(TYPE :REQUEST", '{"target":', "```lisp\n(", "[1]"])
    assert.equal(through(...text), "");
});

test("blank space is held back until the first character is known", () => {
  assert.equal(through(" ", "\n", "(TARGET :SHELL)"), "");
  assert.equal(through(" ", "\n", "Hi"), " \nHi");
});

test("pieces inside of a word, which the filter would hold back, are scanned together, and none is lost", () => {
  let pushes = 0;
  let shown = "";
  const filter = {
    push: (piece: string) => {
      pushes += 1;
      return piece;
    },
    end: () => "",
  };
  const stream = openStream(filter, (text) => {
    shown += text;
  });
  const pieces = Array.from({ length: 10_000 }, (_, index) => `word${index}`);
  for (const piece of pieces) stream.push(piece);
  stream.end();
  assert.equal(shown, pieces.join(""));
  assert.ok(pushes < 100, `${pushes} scans for 10,000 pieces`);
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { beginOf, shorten } from "./cut-text.ts";

const root = join(import.meta.dirname, "../..");
const whole = [
  "a",
  "é",
  "e\u0301",
  "\u{1f600}",
  "\u{1f44b}\u{1f3fd}",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{1f1e9}\u{1f1ea}",
  "\r\n",
  "한",
];

test("a cut never splits an emoji, a flag, a family or a letter with its marks, and loses as little as it can", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...whole), { maxLength: 30 }),
      fc.integer({ min: 12, max: 60 }),
      (parts, most) => {
        const text = parts.join(" ");
        const begin = beginOf(text, most);
        assert.equal(text.startsWith(begin) && begin.isWellFormed() && begin.length <= most, true);
        if (text.length <= most) {
          assert.equal(begin, text);
          return;
        }
        const segments = Array.from(new Intl.Segmenter().segment(text), ({ index }) => index);
        assert.equal(segments.includes(begin.length), true, JSON.stringify([text, most]));
        assert.equal(begin.length, Math.max(...segments.filter((index) => index <= most)));
      },
    ),
  );
});

test("a text that is one endless letter is cut between code points, and a cut is marked", () => {
  assert.equal(beginOf(`\u{1f600}${"\u200d\u{1f600}".repeat(100)}`, 7).isWellFormed(), true);
  assert.equal(shorten("words", 5), "words");
  assert.equal(shorten("ab\u{1f600}cd", 3), "ab…");
});

test("no text for a person or a model is cut with a mark but here", () => {
  const cuts = globSync("src/**/*.ts", { cwd: root })
    .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
    .flatMap((file) =>
      /\.(?:slice|substring)\(0, [^()]*\)\} ?…/.test(readFileSync(join(root, file), "utf8")) ? [file] : [],
    );
  assert.deepEqual(cuts, []);
});

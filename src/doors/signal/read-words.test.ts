import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { longestWords } from "../chat/mark-words.ts";
import { readWords } from "./read-words.ts";

const agent = "+4915100000001";
const at = (start: number, length = 1) => ({ start, length });
const monospace = (start: number, length: number) => ({ style: "MONOSPACE", start, length });

test("what is mentioned gets a name instead of a number, the agent none, and what is marked as code stays so behind it", () => {
  const mentions = [
    { ...at(6), number: "+4917100000009", uuid: "u-1" },
    { ...at(0), number: agent, uuid: null },
    { ...at(12), number: null, uuid: "u-2" },
    { ...at(14), number: "+4917100000009", uuid: "u-1" },
  ];
  const read = readWords(
    { message: "\uFFFC ask \uFFFC and \uFFFC \uFFFC: /undo", mentions, textStyles: [monospace(17, 5)] },
    agent,
  );
  assert.deepEqual(read, {
    text: "ask @somebody and @somebody-2 @somebody: /undo",
    quotes: ["/undo"],
    isCut: false,
  });
});

test("what is struck out stands so in the text, and every style that is not known to be the writer's is quoted", () => {
  const style = (name: string, start: number, length: number) => ({ style: name, start, length });
  const textStyles = [
    style("BOLD", 0, 4),
    style("ITALIC", 5, 2),
    style("STRIKETHROUGH", 5, 2),
    style("STRIKETHROUGH", 7, 3),
    style("SPOILER", 11, 4),
    style("BLINKING", 16, 4),
  ];
  assert.deepEqual(readWords({ message: "Pays 50 60 Eve? now now.", textStyles }, agent), {
    text: "Pays ~~50 60~~ Eve? now now.",
    quotes: ["~~50 60~~", "Eve?", "now "],
    isCut: false,
  });
});

test("thousands of mentions and marks of a message are read at once, wherever they point, and a long text is cut", () => {
  const message = "\uFFFC ".repeat(100_000);
  const mentions = Array.from({ length: 50_000 }, (_, index) => at(index % message.length));
  const textStyles = Array.from({ length: 50_000 }, (_, index) => monospace(index % 1000, 100_000));
  const read = readWords({ message, mentions, textStyles }, agent);
  assert.equal(read.isCut, true);
  assert.ok(read.text.length <= longestWords + 100 * "@somebody".length);
  assert.equal(read.text.split("@somebody").length, 101, "a hundred are read");
  assert.deepEqual(read.quotes, [`${read.text} `], "so many marks are one of the whole");
});

test("whatever is mentioned and marked, a quotation stands in the text", () => {
  const ranges = fc.array(fc.record({ start: fc.integer(), length: fc.integer() }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), ranges, ranges, (message, mentions, marks) => {
      const textStyles = marks.map((mark, at) => ({
        ...mark,
        style: at % 2 === 0 ? "MONOSPACE" : "STRIKETHROUGH",
      }));
      const { text, quotes } = readWords({ message, mentions, textStyles }, agent);
      for (const quote of quotes) assert.ok(text.includes(quote.trim()), `${quote} in ${text}`);
    }),
  );
});

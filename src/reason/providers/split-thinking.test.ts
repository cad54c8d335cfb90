import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leastTime } from "../../../test/processor-time.ts";
import { ThinkingSplitter } from "./split-thinking.ts";

/** What a person sees in the end, and what counts as thinking. */
function split(pieces: readonly string[], isWhole = true) {
  const splitter = new ThinkingSplitter();
  const said = { text: "", thinking: "" };
  for (const piece of [...pieces.flatMap((one) => splitter.push(one)), ...splitter.end(isWhole)]) {
    if (piece.kind === "withdrawn") said.text = "";
    else said[piece.kind] += piece.text;
  }
  return said;
}

const answers: readonly [what: string, whole: string, text: string][] = [
  ["Qwen and DeepSeek", "<think>\nHm, 2 and 2.\n</think>\n\nFour.", "Four."],
  ["empty thinking of Qwen", "<think>\n\n</think>\n\nFour.", "Four."],
  ["blank space and other case", " \n<THINK>Hm.</Think> Four.", "Four."],
  ["Hermes", "<thinking>Hm.</thinking>Four.", "Four."],
  ["Magistral", "[THINK]Hm.[/THINK]Four.", "Four."],
  ["Kimi", "◁think▷Hm.◁/think▷Four.", "Four."],
  ["two thoughts", "<think>a</think>\n<think>b</think>\nFour.", "Four."],
  ["nested marks", "<think>a <think>b</think> c</think>Four.", "Four."],
  [
    "an opening mark mentioned in the thinking",
    "<think>They ask about <think> itself.</think>It opens thinking.",
    "It opens thinking.",
  ],
  [
    "a closing mark in a code span of the thinking",
    "<think>It ends with `</think>`, so.</think>Four.",
    "Four.",
  ],
  ["a closing mark in a fence of the thinking", "<think>\n```\n</think>\n```\nso\n</think>\nFour.", "Four."],
  ["an opening mark that the template wrote", "Hm, 2 and 2.\n</think>\n\nFour.", "Four."],
  [
    "an answer that quotes the marks after thinking",
    "<think>a</think>Use <think> and </think>.",
    "Use <think> and </think>.",
  ],
  [
    "a tool call after thinking",
    '<think>a</think>\n<tool_call>{"name":"x"}</tool_call>',
    '<tool_call>{"name":"x"}</tool_call>',
  ],
];
for (const [what, whole, text] of answers) {
  test(`the thinking of a model is not its answer, however the text is cut: ${what}`, () => {
    for (let size = 1; size <= whole.length; size += 1) {
      const pieces = whole.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      assert.equal(split(pieces).text, text, `pieces of ${size}`);
    }
  });
}

const untouched: readonly [what: string, whole: string][] = [
  ["a mark in the middle", "Models write <think>a</think> before they answer."],
  ["marks in a fence", "```xml\n<think>a</think>\n```\nThat is the form."],
  ["a fence with a closing mark alone on its line", "Look:\n```\nHm.\n</think>\n\nFour.\n```\nSo it goes."],
  ["a code span", "`<think>` opens it, and\n`</think>`\ncloses it."],
  ["a closing mark in a sentence", "It ends with </think> and goes on.\nFour."],
  ["a closing mark at the end", "It ends with\n</think>\n"],
  ["thinking without an end", "<think>The answer is four."],
  ["a word about it", "<think> is a tag that some models write."],
  ["what only begins like a mark", "<thin ice"],
  ["a lone bracket", "<"],
  ["blank space", " \n "],
];
for (const [what, whole] of untouched) {
  test(`no answer is swallowed: ${what}`, () => {
    for (let size = 1; size <= whole.length; size += 1) {
      const pieces = whole.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      assert.equal(split(pieces).text, whole, `pieces of ${size}`);
    }
  });
}

test("thinking that the limit of output tokens cut off is no answer", () => {
  assert.deepEqual(split(["<think>The answer is"], false), { text: "", thinking: "The answer is" });
});

const fragments = [
  "<think>",
  "</think>",
  "[THINK]",
  "[/THINK]",
  "`",
  "```",
  "~~~",
  "\n",
  " ",
  "a",
  "four",
  "<",
  "</",
];

test("for any text and any cut the same is shown, and a text without marks is shown byte for byte", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...fragments), { maxLength: 14 }),
      fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 8 }),
      (parts, sizes) => {
        const whole = parts.join("");
        const pieces: string[] = [];
        for (let at = 0, count = 0; at < whole.length; count += 1) {
          const size = 1 + (sizes[count % sizes.length] ?? 0);
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        const once = split([whole]);
        assert.equal(split(pieces).text, once.text);
        if (!/think/i.test(whole)) assert.equal(once.text, whole);
        const words = whole.replaceAll(/[<[]\/?think[>\]]/gi, "").trim();
        if (words !== "") assert.notEqual(once.text + once.thinking, "", whole);
      },
    ),
    { numRuns: 5000 },
  );
});

test("thinking in a hundred thousand pieces is split in less than two seconds", async () => {
  const time = await leastTime(() => {
    const splitter = new ThinkingSplitter();
    splitter.push("<think>");
    for (let count = 0; count < 100_000; count += 1) splitter.push("a `");
    splitter.end(true);
  }, 2000);
  assert.ok(time < 2000, `${time} ms`);
});

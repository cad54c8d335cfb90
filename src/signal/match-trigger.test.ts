import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchesTrigger } from "./match-trigger.ts";

const has = (text: string, word: string) => matchesTrigger({ words: [word] }, { sensor: "user-input", text });

for (const [text, word, expected] of [
  ["Water the roses", "water", true],
  ["Watering cans", "water", false],
  ["underwater", "water", false],
  ["\u{1d400}water", "water", false],
  ["underwater, water", "water", true],
  ["water2 2water", "water", false],
  ["GRÜSSE an alle", "grüsse", true],
  ["Straße", "stra", false],
  ["𝐀water𝐀", "water", false],
  ["💧water💧", "water", true],
  ["xa-a-a", "a-a", true],
  ["a.b", "a.b", true],
  ["acb", "a.b", false],
  ["", "water", false],
] as const)
  test(`the trigger word "${word}" ${expected ? "matches" : "does not match"} "${text}"`, () => {
    assert.equal(has(text, word), expected);
  });

test("a trigger word matches where no letter or digit stands beside it, in any text", () => {
  const unit = fc.constantFrom("a", "B", "ß", "ſ", "K", "1", "-", ".", " ", "💧", "𝐀", "\u0345", "\ud83d");
  const texts = fc.string({ unit, maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.string({ unit, minLength: 1, maxLength: 3 }), (text, word) => {
      const literal = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
      const whole = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu");
      assert.equal(has(text, word), whole.test(text), JSON.stringify([text, word]));
    }),
    { numRuns: 100 },
  );
});

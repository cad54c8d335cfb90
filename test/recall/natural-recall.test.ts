import assert from "node:assert/strict";
import { test } from "node:test";
import { askNaturalQuestions, shownFor } from "./measure-natural.ts";

test("of 50 natural questions the right note is among the first ten for 43, in the prompt for 42, and at most 3 notes shown have nothing to do with them", async () => {
  const heldOut = (await askNaturalQuestions()).filter((answer) => answer.heldOut);
  const of50 = (count: number): number => (50 * count) / heldOut.length;
  const amongTen = of50(heldOut.filter(({ place }) => place > 0 && place <= 10).length);
  const inPrompt = of50(heldOut.filter(({ inContext }) => inContext).length);
  const unrelated = of50(heldOut.reduce((sum, answer) => sum + answer.unrelated.length, 0));
  assert.ok(amongTen >= 43, `among the first ten: ${amongTen}`);
  assert.ok(inPrompt >= 42, `in the prompt: ${inPrompt}`);
  assert.ok(unrelated <= 3, `unrelated: ${unrelated}`);
});

test("a greeting or thanks shows no note", async () => {
  const words = [
    "hi",
    "Hello there!",
    "thanks",
    "thank you very much",
    "ok",
    "yes please",
    "danke dir",
    "hallo",
    "bedankt",
    "good morning",
    "Good job, thanks!",
    "nice work",
    "vielen Dank",
    "bis morgen",
    "good night",
  ];
  for (const [at, titles] of (await shownFor(words)).entries()) assert.deepEqual(titles, [], words[at]);
});

import { askNaturalQuestions, type NaturalAnswer, shownFor } from "../test/recall/measure-natural.ts";

// How often the right note is found for natural questions about a person's notes, without any model. With `-v`, also the questions without it. Targets of 50 questions: 45
// among the first ten, 42 in the prompt within 2,000 tokens, at most 3 notes shown that have nothing to do with the question.
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const answers = await askNaturalQuestions();

function print(name: string, of: readonly NaturalAnswer[]): void {
  const share = (count: number): string => ((50 * count) / of.length).toFixed(1).padStart(5);
  const within = (most: number): number => of.filter(({ place }) => place > 0 && place <= most).length;
  const unrelated = of.reduce((sum, answer) => sum + answer.unrelated.length, 0);
  const shown = of.reduce((sum, answer) => sum + answer.shown.length, 0);
  const prompt = of.filter(({ inContext }) => inContext).length;
  say(
    `${name} (${of.length}), of 50: first ${share(within(1))}, among ten ${share(within(10))}, among fifty ${share(within(50))}, in the prompt ${share(prompt)}, notes shown ${share(shown)}, unrelated ${share(unrelated)}`,
  );
}

print(
  "tuned on",
  answers.filter(({ heldOut }) => !heldOut),
);
print(
  "held out",
  answers.filter(({ heldOut }) => heldOut),
);
const smallTalk = [
  "hi",
  "hello there",
  "thanks",
  "thank you very much",
  "ok",
  "yes please",
  "danke",
  "hallo",
  "bedankt",
  "good morning",
  "ありがとう",
];
const shown = await shownFor(smallTalk);
say(`small talk: ${shown.filter((titles) => titles.length > 0).length} of ${smallTalk.length} show notes`);
if (process.argv.includes("-v")) {
  for (const { heldOut, question, title, place, inContext, unrelated } of answers) {
    if (!heldOut && (place === 0 || place > 10 || !inContext || unrelated.length > 0))
      say(
        `${place}\t${inContext ? "shown" : "-"}\t${question} → ${title}${unrelated.length > 0 ? `\t[${unrelated.join("; ")}]` : ""}`,
      );
  }
}

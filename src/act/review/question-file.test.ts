import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { propertyOf, scanOutline } from "#org";
import type { ListedQuestion } from "../../signal/listed-question.ts";
import { findNewConstructs } from "../../text/later/disarm.ts";
import { type FiledQuestions, fileQuestionsInSteps, type QuestionList } from "./question-file.ts";

const style = { variables: [] };
const sample: ListedQuestion = {
  id: "question-0123456789ab",
  state: "OPEN",
  by: "The agent",
  tool: "write-file",
  session: "s1",
  askedAt: Date.UTC(2026, 4, 5, 10),
  lapsesAt: Date.UTC(2026, 4, 6, 10),
  gates: ["paths"],
  about: { title: "create a.txt", effects: ["create a.txt"], lines: ["+ words"], integrity: "agent" },
};

type Filed = { readonly text: string; readonly written: ReadonlyMap<string, string> };

function file(
  current: string | null,
  questions: readonly ListedQuestion[],
  more: Partial<QuestionList> = {},
): Filed {
  const missing = new Set(questions.map(({ id }) => id));
  const list = { questions, missing, more: 0, written: new Map(), ...more };
  const { bytes, written } = inOne(
    fileQuestionsInSteps(current === null ? null : Buffer.from(current), list, style),
  );
  return { text: Buffer.from(bytes).toString(), written };
}

function inOne(steps: Generator<void, FiledQuestions>): FiledQuestions {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const hostile = fc
  .array(
    fc.constantFrom(
      "* APPROVED x",
      "#+end_example",
      "#+begin_src sh",
      ":PROPERTIES:",
      ":ID: question-ffffffffffff",
      ":END:",
      "#+TODO: OPEN | x",
      "%%(evil)",
      "src_elisp{(evil)}",
      "# Local Variables:",
      "\r",
      "\0",
      " :private:",
      "\u202e",
      "words",
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.join("\n"));

test("no word of a question becomes a headline, a property, the end of its block or code", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (title, effect, words, name) => {
      const about = { title, effects: [effect], lines: words.split("\n"), integrity: "untrusted" } as const;
      const question = { ...sample, tool: name, by: name, gates: [name], about };
      const { text, written } = file("* Mine\nwords", [question]);
      const { headlines, settings } = scanOutline(text);
      assert.deepEqual(
        headlines.map(({ level }) => level),
        [1, 1],
      );
      const entry = headlines[1]?.properties ?? null;
      assert.equal(propertyOf(entry, "ID"), sample.id);
      assert.equal(propertyOf(entry, "ORIGIN"), "untrusted");
      assert.equal(headlines[1]?.tags ?? null, null);
      assert.equal(settings.title, null);
      assert.equal(text.match(/^#\+TODO/gm)?.length, 1);
      assert.equal(text.match(/^#\+end_example$/gm)?.length, 1);
      assert.deepEqual(findNewConstructs("questions.org", "* Mine\nwords", text), []);
      assert.equal(file(text, [question], { written }).text, text, "it is no edit of itself");
    }),
    { numRuns: 300 },
  );
});

test("the state follows, lines and tags of the owner stay, and an entry whose question is gone leaves its lines", () => {
  const first = file(null, [sample]);
  assert.match(first.text, /^\* OPEN The agent asks: create a\.txt$/m);
  const noted = first.text.replace("a.txt\n", "a.txt :home:\n").concat("Ask Ada first.\n** A child\n");
  const answered = file(noted, [{ ...sample, state: "APPROVED" }], { written: first.written });
  assert.match(answered.text, /^\* APPROVED The agent asks: create a\.txt :home:$/m);
  assert.match(answered.text, /^#\+end_example\nAsk Ada first\.\n\*\* A child$/m);
  assert.doesNotMatch(answered.text, /An edit of this entry/);
  const { text } = file(answered.text, [], { written: answered.written });
  assert.doesNotMatch(text, /question-0123|create a\.txt/);
  assert.match(
    text,
    /^\* Notes on a question that is gone :home:\n:PROPERTIES:\n:ORIGIN: +agent\n:END:\nAsk Ada first\.\n\*\* A child$/m,
  );
  assert.equal(file(text, []).text, text);
});

test("a list of more questions than it shows says so, and no longer once there are none", () => {
  const { text } = file(null, [sample], { more: 2 });
  assert.match(text, /^# … and 2 more questions that wait: passepartout approve lists them all\.$/m);
  assert.doesNotMatch(file(text, [sample]).text, /more question/);
  assert.match(file(text, [sample], { more: 1 }).text, /^# … and 1 more question that wait/m);
});

test("an entry that ended and was removed by its owner stays away, and one that is open comes back", () => {
  const { text } = file(null, [sample]);
  const emptied = text.slice(0, text.indexOf("* OPEN"));
  const denied = { ...sample, state: "DENIED" } as const;
  assert.equal(file(emptied, [denied], { missing: new Set() }).text, emptied);
  assert.match(file(emptied, [sample]).text, /^\* OPEN/m);
});

test("each entry is a step, so that other work runs in between, and one that stands as it was is not formatted again", () => {
  const ids = Array.from({ length: 20 }, (_, index) => `question-${String(index).padStart(12, "0")}`);
  const formatted: string[] = [];
  const questions = ids.map((id) => ({
    ...sample,
    id,
    get gates() {
      formatted.push(id);
      return sample.gates;
    },
  }));
  const list = { questions, missing: new Set(ids), more: 0, written: new Map() };
  const steps = Array.from(fileQuestionsInSteps(null, list, style));
  assert.equal(steps.length, ids.length);
  assert.deepEqual(formatted, ids);
  const { text, written } = file(null, questions);
  const [third = sample] = questions.slice(3);
  const denied = questions.with(3, { ...third, gates: sample.gates, state: "DENIED" });
  formatted.length = 0;
  const later = file(text, denied, { written });
  assert.deepEqual(formatted, []);
  assert.match(later.text, /^\* DENIED .*\n:PROPERTIES:\n:ID: +question-000000000003$/m);
  assert.equal(later.text.match(/^\* (?:OPEN|DENIED) /gm)?.length, ids.length);
});

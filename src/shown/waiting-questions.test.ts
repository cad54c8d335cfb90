import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalQuestion } from "./approval-question.ts";
import { WaitingQuestions } from "./waiting-questions.ts";

const asked = 1_000_000;

function question(token: string, session = "s1"): ApprovalQuestion {
  return {
    type: "approval-required",
    session,
    turn: `turn of ${token}`,
    token,
    workspace: "/w",
    action: { target: "shell", payload: { cmd: "make" }, explanation: "to build it" },
    effects: [],
    trace: [],
    reason: "it asks",
    expiresAt: asked + 3_600_000,
  };
}

/** What an answer comes to that is begun so many milliseconds after the questions. */
function answer(text: string, questions: readonly ApprovalQuestion[], after = 1000) {
  const waiting = new WaitingQuestions("s1");
  for (const one of questions) waiting.observe(one, asked);
  return waiting.resolve(text, asked + after);
}

test("a short word answers the only question, with a reason where one follows", () => {
  const answers = [
    "y",
    "Yes.",
    "n",
    "no!",
    "n because it is late",
    "No, because\nnot now",
    "y value",
    "/always",
  ];
  assert.deepEqual(
    answers.map((text) => answer(text, [question("T")])),
    [
      "/approve T",
      "/approve T",
      "/deny T",
      "/deny T",
      "/deny T because it is late",
      "/deny T because\nnot now",
      "/approve T value",
      "/always T",
    ].map((submit) => ({ submit })),
  );
});

test("words that only begin with a yes or a no are words", () => {
  for (const text of ["yes please do", "no idea what you mean", "y2k", "not now", "n because", "maybe"])
    assert.deepEqual(answer(text, [question("T")]), { submit: text });
});

test("without a question a short word is a word", () => {
  assert.deepEqual(answer("y", []), { submit: "y" });
});

test("a short word that was begun before anybody can have read the question answers nothing", () => {
  for (const after of [-5, 0, 250]) assert.ok("show" in answer("y", [question("T")], after));
  assert.ok("submit" in answer("/approve", [question("T")], 250));
});

test("of several questions each is answered by its number, and one of another session is never answered by a bare word", () => {
  const waiting = new WaitingQuestions("s1");
  for (const one of [question("A"), question("B")]) waiting.observe(one, asked);
  const later = asked + 1000;
  assert.ok("show" in waiting.resolve("y", later));
  assert.deepEqual(waiting.resolve("y 2", later), { submit: "/approve B" });
  assert.deepEqual(waiting.resolve("n 1 because no", later), { submit: "/deny A because no" });
  assert.ok("show" in answer("y", [question("A", "s2")]));
});

test("where several questions wait, the list says how to answer one with the reason that was given", () => {
  const told = answer("n because it is late", [question("T"), { ...question("U"), turn: "t2" }]);
  assert.match("show" in told ? told.show : "", /Answer one by its number: \/deny 1 because it is late$/);
});

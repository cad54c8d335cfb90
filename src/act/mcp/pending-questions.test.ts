import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../text/json.ts";
import { readAskedInput } from "./asked-input.ts";
import { describeAnswers, type PendingQuestion, questionDigest, readAnswers } from "./pending-questions.ts";

/** A question that a server asked under its own name of it. */
function questionOf(key: string, properties: JsonObject, required: readonly string[] = []): PendingQuestion {
  const params = { message: "Which?", requestedSchema: { type: "object", properties, required } };
  const requests = Object.fromEntries([[key, { method: "elicitation/create", params }]]);
  const asked = readAskedInput(requests);
  assert.ok(asked.ok);
  return { session: "s", requests, state: null, questions: asked.questions };
}

test("answers reach a question under whatever name its server gives it", () => {
  for (const key of ["q", "__proto__", "constructor", "toString"]) {
    const question = questionOf(key, { city: {} });
    const read = readAnswers(question, { city: "Bonn" });
    assert.ok(read.ok);
    assert.deepEqual(Object.entries(read.values), [[key, { city: "Bonn" }]]);
    assert.deepEqual(describeAnswers(question, read.values), ['"Which?" city: Bonn']);
  }
});

test("a field that is required is missing, also where every object has one of its name", () => {
  const question = questionOf("q", { constructor: {} }, ["constructor"]);
  assert.equal(readAnswers(question, {}).ok, false);
});

test("every answer is shown whole, or not given", () => {
  const question = questionOf("q", { text: {} });
  for (const [text, isGiven] of [
    ["word ".repeat(190), true],
    ["word ".repeat(201), false],
  ] as const) {
    const read = readAnswers(question, { text });
    assert.equal(read.ok, isGiven);
    if (read.ok) assert.match(describeAnswers(question, read.values).join(), new RegExp(text.trim()));
  }
  for (const value of [{ a: 1 }, [1], null, [["a"]]] satisfies readonly Json[])
    assert.equal(readAnswers(question, { text: value }).ok, false, JSON.stringify(value));
});

test("another question, or another state behind it, has another digest", () => {
  const question = questionOf("q", { city: {} });
  const digests = [
    question,
    { ...question, state: "1" },
    questionOf("p", { city: {} }),
    questionOf("q", { city: { title: "City" } }),
  ].map(questionDigest);
  assert.equal(new Set(digests).size, digests.length);
});

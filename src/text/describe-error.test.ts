import assert from "node:assert/strict";
import { test } from "node:test";
import { describeError } from "./describe-error.ts";

/** What is thrown where work fails, and then the closing of its parts. */
async function failingWork(work: string, ...closings: readonly string[]): Promise<unknown> {
  try {
    await using parts = new AsyncDisposableStack();
    for (const closing of closings) {
      parts.defer(() => {
        throw new Error(closing);
      });
    }
    throw new Error(work);
  } catch (error) {
    return error;
  }
}

test("an error says its message, and what is no error says itself", () => {
  assert.equal(describeError(new Error("No room is left.")), "No room is left.");
  assert.equal(describeError(new TypeError("")), "TypeError");
  assert.equal(describeError("words"), "words");
  assert.equal(describeError(null), "null");
});

test("of work and closings that failed, the first failure is told first, and each once", async () => {
  const one = await failingWork("No room is left.", "The log cannot be closed.");
  assert.equal(describeError(one), "No room is left. The log cannot be closed.");
  const many = await failingWork("No room is left.", "Third.", "No room is left.", "Second.");
  assert.equal(describeError(many), "No room is left. Second. Third.");
  assert.doesNotMatch(describeError(many), /suppressed/i);
});

test("several errors at once are told one after the other", () => {
  const errors = [new Error("::1 refused."), new Error("127.0.0.1 refused.")];
  assert.equal(describeError(new AggregateError(errors)), "::1 refused. 127.0.0.1 refused.");
  assert.equal(describeError(new AggregateError([], "Nothing worked.")), "Nothing worked.");
});

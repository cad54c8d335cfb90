import assert from "node:assert/strict";
import { test } from "node:test";
import { BudgetError, LlmError } from "../signal/failure.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";
import {
  fallbackAnswer,
  type RecoveryChoice,
  type RecoveryHandler,
  recoverWith,
} from "./recovery-handlers.ts";

const noAnswer = new LlmError("nobody", { provider: "one", cascade: ["one"], attempts: 1 });
const signal: Signal = {
  id: "s",
  clientId: null,
  sensor: "user-input",
  session: "x",
  source: "cli",
  person: "owner",
  text: "hello",
  payload: {},
  depth: 0,
  label: bottomLabel,
  at: 0,
};
const handler = (name: string, priority: number, choice: RecoveryChoice | null): RecoveryHandler => ({
  name,
  priority,
  decide: () => choice,
});

test("recovery handlers are asked by priority, then name, and the first choice wins", async () => {
  const skip = { choice: "skip-signal" } as const;
  const end = { choice: "abort-pipeline" } as const;
  const report = (message: string): void => assert.fail(message);
  const handlers = [
    handler("low", 1, skip),
    handler("b", 5, skip),
    handler("a", 5, end),
    handler("none", 9, null),
  ];
  assert.deepEqual(await recoverWith(() => handlers, report)(noAnswer, signal), end);
  assert.deepEqual(await recoverWith(() => handlers.toReversed(), report)(noAnswer, signal), end);
  assert.equal(await recoverWith(() => [handler("none", 1, null)], report)(noAnswer, signal), null);
});

test("a recovery handler that throws is reported, and the next one is asked", async () => {
  const reports: string[] = [];
  const broken: RecoveryHandler = {
    name: "broken",
    priority: 200,
    decide: () => {
      throw new Error("no idea");
    },
  };
  const recover = recoverWith(
    () => [broken, fallbackAnswer("Later.")],
    (message) => void reports.push(message),
  );
  assert.deepEqual(await recover(noAnswer, signal), { choice: "use-fallback", text: "Later." });
  assert.match(reports.join(), /recovery handler broken failed: .*no idea/);
});

test("the fallback answer is for a model that did not answer, not for a budget that is spent", () => {
  assert.equal(fallbackAnswer("Later.").decide(new BudgetError(0, 1), signal), null);
  assert.equal(fallbackAnswer(null).decide(noAnswer, signal), null);
});

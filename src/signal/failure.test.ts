import assert from "node:assert/strict";
import { test } from "node:test";
import { BudgetError, GateError, LlmError, PassepartoutError, PipelineError } from "./failure.ts";

test("an LLM error names its provider, the cascade and the attempts", () => {
  const error = new LlmError("timed out", { provider: "ollama", cascade: ["ollama", "groq"], attempts: 3 });
  assert.equal(error.message, "LLM error (ollama): timed out");
  assert.deepEqual([error.provider, error.cascade, error.attempts], ["ollama", ["ollama", "groq"], 3]);
  assert.ok(error instanceof PipelineError && error instanceof PassepartoutError);
});

test("a gate error names the gate and what it blocked", () => {
  const error = new GateError("a secret path", "paths", "tool read-file");
  assert.equal(error.message, "Gate paths blocked action: a secret path");
  assert.deepEqual([error.gate, error.action], ["paths", "tool read-file"]);
  assert.ok(error instanceof PipelineError);
});

test("a budget error says what remains and what was asked for, in dollars", () => {
  const error = new BudgetError(0.5, 1.25);
  assert.equal(error.message, "Budget exhausted: $0.5000 remaining, $1.2500 requested");
  assert.deepEqual([error.remaining, error.requested], [0.5, 1.25]);
  assert.ok(error instanceof PipelineError);
});

test("a pipeline error knows its signal", () => {
  assert.equal(new PipelineError("no", "s1").signalId, "s1");
});

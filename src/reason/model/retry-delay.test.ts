import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { requestOf, says } from "../../../test/door-world.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { describeCascadeFailure, type FailedTry } from "./cascade.ts";
import type { FailureCode, ModelFailure, ModelRequest } from "./model-port.ts";
import { retryDelay } from "./retry-delay.ts";
import { trimRequest } from "./trim-request.ts";
import { bytesOf } from "./usage.ts";

const failure = (code: FailureCode, retryAfterMs: number | null = null): ModelFailure => ({
  code,
  message: "",
  retryAfterMs,
  begun: false,
  usage: null,
});
const requestWith = (messages: readonly Message[]): ModelRequest => ({
  ...requestOf(...messages),
  model: "m",
});

test("a pause grows with each attempt, and jitter changes it by at most half", () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((tries) => retryDelay(failure("server-error"), tries, 0.5)),
    [500, 1_000, 2_000, null],
  );
  assert.deepEqual(
    [retryDelay(failure("server-error"), 1, 0), retryDelay(failure("server-error"), 1, 1)],
    [250, 750],
  );
});

test("a provider is asked at most four times, never before its Retry-After, and never after more than ten seconds", () => {
  const codes = fc.constantFrom<FailureCode>(
    "rate-limited",
    "server-error",
    "malformed",
    "empty",
    "refused",
    "auth",
  );
  fc.assert(
    fc.property(
      codes,
      fc.option(fc.nat(60_000)),
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (code, asked, tries, jitter) => {
        const pause = retryDelay(failure(code, asked), tries, jitter);
        if (tries >= 4) assert.equal(pause, null);
        if (pause !== null) assert.ok(pause >= (asked ?? 0) && pause <= 10_000);
      },
    ),
  );
});

test("trimming drops the oldest messages first and keeps the system text, the tools and the present turn", () => {
  const messages = Array.from({ length: 10 }, (_, index) => says(`${index} ${"x".repeat(100)}`));
  const request = requestWith(messages);
  const trimmed = trimRequest(request, 3);
  assert.ok(trimmed);
  assert.deepEqual([trimmed.system, trimmed.tools], [request.system, request.tools]);
  assert.deepEqual(trimmed.messages, messages.slice(-trimmed.messages.length));
  assert.ok(trimmed.messages.length >= 3 && trimmed.messages.length < 10);
});

test("a result is dropped together with its call", () => {
  const result: Message = {
    role: "result",
    callId: "c",
    native: true,
    result: { id: "r", tool: "t", outcome: { status: "success", content: "y" }, label: bottomLabel },
  };
  const answer: Message = {
    role: "assistant",
    text: "x".repeat(3_000),
    calls: [],
    native: true,
    provider: "p",
    raw: null,
    label: bottomLabel,
  };
  const trimmed = trimRequest(requestWith([answer, result, result, says("a"), says("b")]), 1);
  assert.deepEqual(trimmed?.messages, [says("a"), says("b")]);
});

test("if the present turn is too long, the middle of its long results is cut and its words stay", () => {
  const content = `head ${"x".repeat(50_000)} tail`;
  const result: Message = {
    role: "result",
    callId: "c",
    native: true,
    result: { id: "r", tool: "t", outcome: { status: "success", content }, label: bottomLabel },
  };
  const trimmed = trimRequest(requestWith([says("my question"), result]), 2);
  const text = JSON.stringify(trimmed?.messages);
  assert.ok(text.length < 3_000);
  assert.match(text, /my question.*head .*characters left out.* tail/);
});

test("trimming makes a prompt smaller or gives null, and never changes the messages to keep", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { minLength: 1 }), fc.nat(5), (texts, keep) => {
      const request = requestWith(texts.map((text) => says(text)));
      const trimmed = trimRequest(request, keep);
      if (trimmed === null) return;
      assert.ok(bytesOf(trimmed) < bytesOf(request));
      const kept = Math.min(texts.length, Math.max(1, keep));
      assert.deepEqual(trimmed.messages.slice(-kept), request.messages.slice(-kept));
    }),
  );
});

const tried = (provider: string, code: FailedTry["code"], attempt = 1): FailedTry => ({
  provider,
  code,
  attempt,
  message: `was ${code}`,
});

test("the message of an exhausted cascade names each provider once, its last failure, and what to do", () => {
  const { code, reason } = describeCascadeFailure([
    tried("ollama", "refused"),
    tried("groq", "rate-limited", 1),
    tried("groq", "rate-limited", 2),
    tried("openai", "auth"),
  ]);
  assert.equal(code, "exhausted");
  assert.equal(
    reason,
    "No provider could answer. ollama: was refused. groq: was rate-limited (2 tries). openai: was auth. " +
      "Start ollama or correct its address. Try again later, or add another provider to PROVIDER_CASCADE. " +
      "Check the key of openai.",
  );
});

test("a failure whose message says what to do gets no further advice", () => {
  const message = "has no key: set OPENAI_API_KEY";
  const { reason } = describeCascadeFailure([{ provider: "openai", code: "auth", attempt: 1, message }]);
  assert.equal(reason, "No provider could answer. openai: has no key: set OPENAI_API_KEY.");
});

test("a cascade that ended for a single reason states that reason", () => {
  assert.equal(describeCascadeFailure([]).code, "no-provider");
  assert.equal(describeCascadeFailure([tried("a", "unknown-provider", 0)]).code, "no-provider");
  assert.equal(
    describeCascadeFailure([tried("a", "over-budget"), tried("b", "unknown-provider", 0)]).code,
    "over-budget",
  );
  assert.equal(describeCascadeFailure([tried("a", "blocked"), tried("b", "over-budget")]).code, "blocked");
  assert.equal(describeCascadeFailure([tried("a", "over-budget"), tried("b", "refused")]).code, "exhausted");
});

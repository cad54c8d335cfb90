import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import type { Outcome } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { JsonObject } from "../../../text/json.ts";
import { actsOfTurn } from "./acts-of-turn.ts";

const done: Outcome = { status: "success", content: { exitCode: 0 } };

type Made = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly outcome?: Outcome;
  readonly label?: Label;
};

function callOf(
  { tool, args, outcome = done, label = bottomLabel }: Made,
  provider: string,
): readonly Message[] {
  const explanation = "It is wanted today.";
  const action =
    tool === "shell"
      ? { target: "shell", payload: { ...args, explanation }, explanation }
      : { target: "tool", payload: { tool, args: { ...args, explanation } }, explanation };
  const calls = [{ id: "c", action }];
  return [
    { role: "assistant", text: "", calls, native: true, provider, raw: null, label: bottomLabel },
    { role: "result", callId: "c", native: true, result: { id: "r", tool, outcome, label } },
  ];
}

function turnOf(made: readonly Made[], changes: Partial<Turn> = {}, provider = "ollama"): Turn {
  return {
    id: "t",
    session: "s",
    signal: sampleSignal({}),
    state: "answered",
    depth: 1,
    depthLimit: 10,
    rejections: 0,
    messages: [
      { role: "user", text: "Do it.", label: bottomLabel },
      ...made.flatMap((one) => callOf(one, provider)),
    ],
    pending: [],
    running: null,
    approved: null,
    text: "Done.\n",
    code: "",
    startedAt: 0,
    updatedAt: 0,
    ...changes,
  };
}

test("what a turn did is its calls in their order, without what the model said of them", () => {
  const made = [
    { tool: "shell", args: { cmd: "make" } },
    { tool: "write-file", args: { path: "a.txt", content: "x" } },
  ];
  const did = actsOfTurn(turnOf(made));
  assert.deepEqual([did?.acts, did?.answer], [made, "Done."]);
});

test("a turn that failed, was answered for, used another call's result, handed on, read private text or asked no model did nothing that a rule could do", () => {
  const fine: Made = { tool: "shell", args: { cmd: "make" } };
  const failed: Outcome = { status: "error", code: "blocked", message: "No." };
  const others: readonly Turn[] = [
    turnOf([]),
    turnOf([fine], { state: "failed" }),
    turnOf([fine], { code: "fallback" }),
    turnOf([fine], {}, "reflex"),
    turnOf([{ ...fine, outcome: failed }]),
    turnOf([{ ...fine, outcome: { status: "success", content: { exitCode: 2 } } }]),
    turnOf([{ ...fine, label: { ...bottomLabel, secrecy: "private" } }]),
    turnOf([fine, { tool: "write-file", args: { path: "a.txt", content: "@1.stdout" } }]),
    turnOf([{ tool: "delegate", args: { tasks: [] } }]),
    turnOf(Array.from({ length: 21 }, () => fine)),
  ];
  for (const [at, turn] of others.entries()) assert.equal(actsOfTurn(turn), null, String(at));
});

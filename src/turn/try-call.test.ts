import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleFacts } from "../gate/sample-action.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Person } from "../signal/signal.ts";
import type { PreparedAction } from "../signal/tool.ts";
import { loopWith } from "./loop-with.fixture.ts";
import type { LoopParts } from "./turn-loop.ts";

/** A tool whose trial fails for want of a host. */
function lackingTool(dropped: string[]): Pick<LoopParts, "prepare" | "callerOf" | "judge"> {
  const prepare = async (action: PreparedAction["action"]): Promise<PreparedAction> => ({
    ok: true,
    action,
    tool: "shell",
    effects: [],
    facts: sampleFacts,
    digest: JSON.stringify(action.payload),
    changes: [],
    comparable: [],
    resultLabel: bottomLabel,
    run: () => Promise.reject(new Error("it was not allowed to run")),
    trial: async () => ({
      outcome: { status: "success", content: { exitCode: 7 } },
      changed: false,
      lacks: { args: { network: ["a.example"] }, drop: async () => void dropped.push("dropped") },
    }),
  });
  const verdict = { reason: "", trace: [], asks: [] };
  const tries = { ...verdict, decision: "trial" } as const;
  let judged = 0;
  return {
    prepare,
    // The call, the call with what it lacked.
    judge: () => (judged++ === 0 ? tries : { ...verdict, decision: "ask" }),
    callerOf: async (turn) => ({
      turn: turn.id,
      session: turn.session,
      person: turn.signal.person,
      source: turn.signal.source,
      startedBy: turn.signal.person === "nobody" ? "nobody" : "person",
      workspace: null,
      known: new Map(),
      promptLabel: bottomLabel,
    }),
  };
}

async function lastEvent(t: Parameters<typeof loopWith>[0], person: Person, dropped: string[]) {
  const payload = { tool: "shell", args: { cmd: "make" } };
  const call = { id: "c1", action: { target: "tool", payload, explanation: "x" } };
  const thought = { kind: "calls", note: "", calls: [call], native: true } as const;
  const { say, events } = await loopWith(t, {
    depthLimit: () => 1,
    think: async () => ({
      kind: "thought",
      thought,
      text: "",
      provider: "one",
      raw: null,
      label: bottomLabel,
    }),
    ...lackingTool(dropped),
  });
  await say({ person });
  return events;
}

test("a command whose trial is its result has the time of the trial", async (t) => {
  const alone = await lastEvent(t, "nobody", []);
  const outcome = alone.find(({ type }) => type === "outcome");
  assert.equal(typeof (outcome?.type === "outcome" && outcome.milliseconds), "number");
});

test("what a trial lacked is asked for where somebody is there; where nobody is, the trial is the result and keeps what it changed", async (t) => {
  const dropped: string[] = [];
  const asked = (await lastEvent(t, "owner", dropped)).find(({ type }) => type === "approval-required");
  assert.deepEqual(asked?.type === "approval-required" && asked.action.payload["args"], {
    cmd: "make",
    network: ["a.example"],
  });
  assert.deepEqual(dropped, ["dropped"]);
  const alone = await lastEvent(t, "nobody", dropped);
  assert.ok(!alone.some(({ type }) => type === "approval-required"));
  assert.ok(alone.some((event) => event.type === "outcome" && JSON.stringify(event.content).includes("7")));
  assert.deepEqual(dropped, ["dropped"]);
});

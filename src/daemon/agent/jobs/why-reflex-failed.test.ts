import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSignal } from "../../../memory/state/samples.fixture.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { Outcome } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { whyReflexFailed } from "./why-reflex-failed.ts";

const [came, lost]: readonly [Outcome, Outcome] = [
  { status: "success", content: null },
  { status: "error", code: "conflict", message: "The file changed." },
];

function turnOf(outcomes: readonly Outcome[]): Turn {
  return {
    id: "t",
    session: "s",
    signal: sampleSignal({}),
    state: "answered",
    depth: 1,
    depthLimit: 10,
    rejections: 0,
    messages: outcomes.map((outcome) => ({
      role: "result",
      callId: "c",
      native: false,
      result: { id: "r", tool: "remember", outcome, label: bottomLabel },
    })),
    pending: [],
    running: null,
    approved: null,
    text: "Not all of it.",
    code: "",
    startedAt: 0,
    updatedAt: 0,
  };
}

test("a job without a model fails where a call did not come off at its last try, or was not made, and not for a race that it lost before", () => {
  const text = 'call remember {"text": "one"}\ncall remember {"text": "two"}';
  const why = (...outcomes: readonly Outcome[]) =>
    whyReflexFailed({ tier: "reflex", text }, turnOf(outcomes));
  assert.equal(why(came, came), null);
  assert.equal(why(lost, came, lost, lost, came), null);
  assert.equal(why(came, lost, lost), "remember: The file changed.");
  assert.equal(why(lost, came), "Not all of it.");
  assert.equal(why({ ...lost, code: "not-found" }, came), "remember: The file changed.");
  assert.equal(whyReflexFailed({ tier: "reasoning", text }, turnOf([lost])), null);
});

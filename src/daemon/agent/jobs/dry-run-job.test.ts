import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import type { Caller, PreparedAction } from "../../../signal/tool.ts";
import { type DryRunParts, dryRunLine } from "./dry-run-job.ts";

const caller = { session: "s", workspace: null, promptLabel: bottomLabel } as unknown as Caller;
const twice = 'call water {"ml":1}\ncall water {"ml":2}';

/** What is said of lines whose second call is prepared like this. */
function judged(second: object, { tools = ["water"], verdict = "pass" } = {}) {
  let at = 0;
  const action = { target: "tool", payload: {}, explanation: "" };
  const fine = {
    ok: true,
    action,
    effects: [],
    facts: { healthy: true, licences: [] },
    resultLabel: bottomLabel,
  };
  const parts = {
    preparer: {
      toolNames: () => tools,
      prepare: async (): Promise<PreparedAction> =>
        (at++ === 0 ? fine : { ...fine, ...second }) as unknown as PreparedAction,
    },
    policy: {
      judge: () => ({ decision: at < 2 ? "pass" : verdict, reason: "no", asks: [] }),
      allowanceOfPlan: () => null,
    },
    now: 0,
  } as unknown as DryRunParts;
  return dryRunLine(parts, twice, { caller, steps: [], label: bottomLabel });
}

test("lines pass where the judge lets each call pass, and are refused where it asks or blocks", async () => {
  assert.deepEqual(await judged({}), { decision: "pass" });
  for (const verdict of ["ask", "block"])
    assert.deepEqual(await judged({}, { verdict }), { decision: "refuse", reason: "no" });
});

test("nobody knows what lines would come to whose tool is not there, which cannot be prepared, whose gate did not answer, while the agent is unhealthy, or before a command is tried", async () => {
  const gate = {
    skill: "tea",
    gate: "mine",
    effectIndex: 0,
    result: "block",
    reason: "its jail ended",
    unanswered: true,
  };
  const unknown = [
    [await judged({}, { tools: [] }), /The tool water is not available here/],
    [await judged({ ok: false, message: "The skill failed." }), /The skill failed/],
    [await judged({ facts: { healthy: true, licences: [], taught: [gate] } }), /its jail ended/],
    [await judged({ facts: { healthy: false, licences: [] } }), /unhealthy/],
    [await judged({}, { verdict: "trial" }), /tried in each run/],
  ] as const;
  for (const [ahead, reason] of unknown) {
    assert.equal(ahead.decision, "unknown");
    assert.match(JSON.stringify(ahead), reason);
  }
});

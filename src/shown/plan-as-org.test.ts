import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPlanAsOrg, readWrittenPlan } from "./plan-as-org.ts";

const step = (words: string, times: number, used = 0) => ({ words, command: null, effects: [], times, used });
const plan = {
  id: "p",
  session: "s",
  workspace: null,
  steps: [
    step("write ~/a b.txt", 3, 1),
    step("run make -j 2; date", 1, 1),
    step("fetch https://example.org/", 1),
  ],
  since: 1000,
  until: 1000 + 90 * 60_000,
  spendingCap: 500_000,
  held: false,
  heldBy: null,
};

test("a plan is an Org node that reads as the same plan", () => {
  const text = formatPlanAsOrg(plan);
  assert.equal(
    text,
    [
      "* Flight plan",
      ":PROPERTIES:",
      ":MINUTES:  90",
      ":DOLLARS:  0.5",
      ":END:",
      "- [ ] 3x write ~/a b.txt",
      "- [X] run make -j 2; date",
      "- [ ] fetch https://example.org/",
    ].join("\n"),
  );
  const steps = ["3x write ~/a b.txt", "run make -j 2; date", "fetch https://example.org/"];
  assert.deepEqual(readWrittenPlan(text), { steps, minutes: 90, dollars: 0.5 });
  assert.deepEqual(readWrittenPlan(steps.join("\n\n")), { steps });
});

test("lists of other forms read alike, and a limit that is no number is none", () => {
  const text =
    "*** Plan\n  :PROPERTIES:\n  :minutes: soon\n  :ID: x\n  :END:\n# a remark\n1. run a\n2) [-] run b\n+ run c - [ ] d\n";
  assert.deepEqual(readWrittenPlan(text), { steps: ["run a", "run b", "run c - [ ] d"] });
});

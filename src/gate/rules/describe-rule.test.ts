import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRule } from "./describe-rule.ts";
import type { RuleEffect } from "./rule.ts";

test("a rule says once what several of its effects have in common", () => {
  const effect: RuleEffect = { kind: "write-path", target: "/home/ada/project/a.txt" };
  const rule = {
    name: "rule-1",
    workspace: "/home/ada/project",
    command: null,
    effects: [effect, effect],
    madeAt: 0,
    examples: { matches: [], differs: [] },
  };
  assert.deepEqual(describeRule(rule), [
    "in /home/ada/project, without asking:",
    "  write /home/ada/project/a.txt, if it can be undone",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonsIn } from "./reasons-in.ts";
import type { TraceLine } from "./verdict.ts";

const line = (result: TraceLine["result"], reason: string): TraceLine => ({
  gate: "paths",
  result,
  reason,
  effects: [0],
});

test("the reasons of a verdict are told apart, each once, and counted where there are many", () => {
  const trace = [
    line("approval", "it has a loop"),
    line("passed", "the action says why"),
    line("approval", "it has a loop"),
    line("approval", "without network"),
  ];
  assert.equal(reasonsIn(trace, "approval"), "it has a loop; without network");
  assert.equal(reasonsIn(trace, "blocked"), "");
  const tried = ["`a`", "`b; it would run sandboxed`", "`b`", "`c; d`"].map((command) =>
    line("approval", `${command} cannot be proved harmless; it would run sandboxed`),
  );
  assert.equal(
    reasonsIn(
      [...tried, line("approval", "`x; d` is planted"), line("approval", "`y; d` is planted")],
      "approval",
    ),
    "`a` cannot be proved harmless; `b; it would run sandboxed` cannot be proved harmless; `b` cannot be proved harmless; `c; d` cannot be proved harmless; it would run sandboxed; `x; d` is planted; `y; d` is planted",
  );
  const many = Array.from({ length: 12 }, (_, index) => line("approval", `r${index}`));
  assert.match(reasonsIn(many, "approval"), /^r0; .*; r9; and 2 more$/);
});

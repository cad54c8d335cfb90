import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const permissions: BuiltInSkill = {
  ...everyTurn,
  name: "permissions",
  does: "lets the owner answer questions, once or for good",
  commands: ["approve", "deny", "always", "trust", "trust-folder"],
  gates: ["tool-permissions", "unproved-person", "persons"],
  effects: ["tell-person"],
  cost: "none",
  test: "test/main-job/approvals.test.ts › the first call that asks suspends the turn with the results so far, and approval resumes it there",
};

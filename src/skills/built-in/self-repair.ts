import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const selfRepair: BuiltInSkill = {
  ...everyTurn,
  name: "self-repair",
  does: "finds where a taught skill fails, and proposes a fix that was tried in the jail",
  jobs: ["self-repair"],
  effects: ["evaluate", "read-path", "write-path"],
  cost: "an answer for each version of a skill that fails",
  test: "test/main-job/self-repair.test.ts › a skill that fails three times gets a fix that was tried, and nothing changes before the owner takes it",
};

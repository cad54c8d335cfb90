import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const consensus: BuiltInSkill = {
  ...everyTurn,
  name: "consensus",
  does: "asks several models about a critical step, where you set that up",
  gates: ["consensus"],
  effects: ["call-model"],
  cost: "a call of each model that you set, for each critical step",
  test: "test/main-job/consensus.test.ts › models that would do the same agree, whatever they say, and nothing asks",
};

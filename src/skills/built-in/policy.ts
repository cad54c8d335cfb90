import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const policy: BuiltInSkill = {
  ...everyTurn,
  name: "policy",
  does: "decides on effects by rule, and shows the reasons",
  commands: ["rules", "why"],
  gates: ["destruction", "extent", "repetition", "information-flow"],
  effects: [],
  cost: "none",
  test: "test/main-job/rules.test.ts › a rule is shown before it is kept, spares the same question from then on, and can be taken back",
};

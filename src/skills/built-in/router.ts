import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const router: BuiltInSkill = {
  ...everyTurn,
  name: "router",
  does: "chooses by your rules which model answers",
  effects: [],
  cost: "none",
  test: "src/reason/route/choose-route.test.ts › difficulty, size and who began a turn choose the model, and the first rule that matches decides",
};

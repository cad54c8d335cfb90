import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const identity: BuiltInSkill = {
  ...everyTurn,
  name: "identity",
  does: "gives the agent its name, its manner and the standing mandates of its owner",
  effects: [],
  cost: "its text stands in each prompt, cached",
  test: "test/main-job/identity.test.ts › identity.org of the notes folder is in the prompt, else that of the configuration folder",
};

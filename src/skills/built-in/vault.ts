import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const vault: BuiltInSkill = {
  ...everyTurn,
  name: "vault",
  does: "keeps keys and private text out of everything that leaves",
  commands: ["public", "send"],
  gates: ["secret-filter", "private-text", "lifts-privacy"],
  effects: [],
  cost: "none",
  test: "test/main-job/keeping-secrets.test.ts › a configured key that a person types never reaches a remote provider",
};

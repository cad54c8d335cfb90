import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const sessions: BuiltInSkill = {
  ...everyTurn,
  name: "sessions",
  does: "keeps conversations, names, forks and ends them",
  commands: ["session", "stop", "exit"],
  effects: [],
  cost: "none",
  test: "test/main-job/sessions.test.ts › the same client id twice is one signal",
};

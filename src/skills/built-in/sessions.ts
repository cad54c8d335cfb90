import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const sessions: BuiltInSkill = {
  ...everyTurn,
  name: "sessions",
  does: "keeps, names, forks and ends conversations",
  commands: ["session", "stop", "exit"],
  effects: [],
  cost: "none",
  test: "test/main-job/session-list.test.ts › sessions are listed with their first words, named, forked with their past, and deleted with all that was said",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const scribe: BuiltInSkill = {
  ...everyTurn,
  name: "scribe",
  does: "proposes notes of what was said and done, each claim with a link to the line that it came from",
  jobs: ["scribe"],
  effects: ["read-path", "write-path"],
  cost: "an answer of the small model a day, where there is one and something was said",
  test: "test/main-job/scribe.test.ts › what was said and done is proposed once, accepted into the note of the day with links to its lines, and asks no model",
};

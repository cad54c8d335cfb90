import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const gardener: BuiltInSkill = {
  ...everyTurn,
  name: "gardener",
  does: "finds what is out of order in the notes, and proposes repairs",
  jobs: ["garden"],
  effects: ["read-path", "write-path"],
  cost: "no model; once a day, where notes changed",
  test: "test/review/gardener.test.ts › the gardener proposes its repairs once a day where notes changed, and an accepted one changes only its lines",
};

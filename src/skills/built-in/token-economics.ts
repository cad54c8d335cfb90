import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const tokenEconomics: BuiltInSkill = {
  ...everyTurn,
  name: "token-economics",
  does: "counts what models cost, keeps to the caps, and shortens the past that models see",
  commands: ["budget", "cost", "usage", "compact", "clear"],
  gates: ["budget"],
  jobs: ["compact-sessions"],
  effects: [],
  cost: "none",
  test: "src/memory/state/usage-of-ledger.test.ts › over any history the sums by day, job, skill, model and rule are the same, and those of all that was booked",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const tokenEconomics: BuiltInSkill = {
  ...everyTurn,
  name: "token-economics",
  does: "counts what models cost, keeps to the caps, and shortens the past",
  commands: ["budget", "cost", "usage", "compact", "clear"],
  gates: ["budget"],
  jobs: ["compact-sessions"],
  effects: [],
  cost: "none",
  test: "src/memory/state/ledger.test.ts › a failed try is booked on the provider that did it, with what it took",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const diagnostics: BuiltInSkill = {
  ...everyTurn,
  name: "diagnostics",
  does: "says what is wrong and how to fix it",
  commands: ["status", "help"],
  gates: ["health"],
  jobs: ["refill-reserve", "check-health"],
  effects: [],
  cost: "none",
  test: "test/command-line/doctor.test.ts › doctor on a healthy machine lists its checks and ends with 0",
};

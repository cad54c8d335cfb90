import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const validator: BuiltInSkill = {
  ...everyTurn,
  name: "validator",
  does: "refuses proposals that cannot be parsed, give no reason, or would break a file",
  gates: ["message-validity", "syntax", "explanation"],
  effects: [],
  cost: "none",
  test: "src/gate/gates.test.ts › explanation: a proposal needs more than 10 characters of words",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const dispatcher: BuiltInSkill = {
  ...everyTurn,
  name: "dispatcher",
  does: "puts a plan of several steps to the owner, and does what was allowed of it",
  tools: ["propose-plan"],
  commands: ["plan"],
  effects: [],
  cost: "the declaration of its tool",
  test: "test/main-job/flight-plans.test.ts › a job of several steps is asked once, each step runs as often as the plan says, and what differs asks",
};

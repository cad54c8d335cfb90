import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const dispatcher: BuiltInSkill = {
  ...everyTurn,
  name: "dispatcher",
  does: "asks the owner once for a plan of several steps, and runs the steps that were allowed",
  tools: ["propose-plan"],
  commands: ["plan"],
  effects: ["change-memory"],
  cost: "the declaration of its tool",
  test: "test/main-job/flight-plans.test.ts › a job of several steps is asked once, each step runs as often as the plan says, and what differs asks",
};

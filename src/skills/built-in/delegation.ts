import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const delegation: BuiltInSkill = {
  ...everyTurn,
  name: "delegation",
  does: "delegates parts of a turn to sub-tasks that run side by side, with a part of its tools and budget",
  trigger: {
    words: [
      "delegate",
      "sub-task",
      "sub-tasks",
      "subtask",
      "subtasks",
      "sub-agent",
      "sub-agents",
      "subagent",
      "subagents",
      "helper",
      "helpers",
      "in parallel",
      "side by side",
      "at the same time",
    ],
  },
  tools: ["delegate"],
  gates: ["sub-task-limits"],
  effects: ["change-memory"],
  cost: "what the models of its sub-tasks cost, within the cap of the turn",
  test: "test/main-job/delegating.test.ts › sub-tasks run side by side in sessions of their own, and their answers come back to the turn that pays for them",
};

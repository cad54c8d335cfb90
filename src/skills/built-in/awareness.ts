import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const awareness: BuiltInSkill = {
  ...everyTurn,
  name: "awareness",
  does: "shows the model the notes that go with the words, and the note in focus",
  commands: ["focus"],
  effects: ["read-path"],
  cost: "at most the budget for context",
  test: "test/main-job/notes-in-the-prompt.test.ts › a note similar to the words is in the prompt with its subtree, and open projects as an outline",
};

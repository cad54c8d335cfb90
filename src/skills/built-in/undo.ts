import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const undo: BuiltInSkill = {
  ...everyTurn,
  name: "undo",
  does: "undoes what turns changed, and redoes it",
  commands: ["undo", "redo", "rewind", "rollback", "diff"],
  effects: ["write-path", "delete-path", "change-memory"],
  cost: "none",
  test: "test/main-job/taking-back.test.ts › a rollback to a snapshot from within a turn takes back only what the turn changed after it",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const takingBack: BuiltInSkill = {
  ...everyTurn,
  name: "taking-back",
  does: "takes back what turns changed, and brings it again",
  commands: ["undo", "redo", "rewind", "rollback", "diff"],
  effects: ["write-path", "delete-path", "change-memory"],
  cost: "none",
  test: "test/main-job/taking-back.test.ts › a rollback to a snapshot from within a turn takes back only what the turn changed after it",
};

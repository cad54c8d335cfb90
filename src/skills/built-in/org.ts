import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const org: BuiltInSkill = {
  ...everyTurn,
  name: "org",
  does: "edits notes by their structure",
  tools: ["edit-notes"],
  effects: ["read-path", "write-path"],
  cost: "the declaration of its tool",
  test: "src/act/tools/notes/edit-notes.test.ts › operations change their own lines and no other byte",
};

import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const files: BuiltInSkill = {
  ...everyTurn,
  name: "files",
  does: "reads, writes, edits, lists and searches files",
  tools: ["read-file", "write-file", "edit-file", "list-files", "search-files"],
  commands: ["attach"],
  gates: ["paths"],
  effects: ["read-path", "write-path"],
  cost: "the declarations of its tools",
  test: "src/act/tools/files/edit-file.test.ts › the one passage is replaced and every other byte stays, whatever the encoding",
};

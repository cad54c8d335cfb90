import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const memory: BuiltInSkill = {
  ...everyTurn,
  name: "memory",
  does: "remembers, finds, links and forgets",
  tools: ["remember", "recall", "read-result", "backlinks", "agenda"],
  commands: ["agenda", "search", "note", "forget"],
  gates: ["memory-changes"],
  jobs: ["watch-notes"],
  effects: ["change-memory", "write-path"],
  cost: "the declarations of its tools",
  test: "src/act/tools/notes/memory-tools.test.ts › a note goes to the end of the inbox, to memory, and its pre-image is kept",
};

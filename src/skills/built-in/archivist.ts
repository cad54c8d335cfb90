import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const archivist: BuiltInSkill = {
  ...everyTurn,
  name: "archivist",
  does: "moves done trees to their archive, once the owner accepts it",
  jobs: ["archive"],
  effects: ["read-path", "write-path"],
  cost: "no model; nothing unless ARCHIVE_AFTER is set",
  test: "test/review/archivist.test.ts › a done tree goes to its archive as Org writes it, is found by ID and search, and comes back by one command",
};

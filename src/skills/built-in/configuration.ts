import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const configuration: BuiltInSkill = {
  ...everyTurn,
  name: "configuration",
  does: "shows and changes settings",
  commands: ["config", "theme"],
  effects: [],
  cost: "none",
  test: "src/daemon/commands/config-commands.test.ts › /config lists the settings with their origin, and no key",
};

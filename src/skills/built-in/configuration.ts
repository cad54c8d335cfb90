import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const configuration: BuiltInSkill = {
  ...everyTurn,
  name: "configuration",
  does: "shows and changes settings: by a command, or by words with a yes to each change",
  trigger: {
    words: [
      "setting",
      "settings",
      "configure",
      "configuration",
      "config",
      "budget",
      "timeout",
      "notices",
      "your name",
      "heartbeat",
      "limit",
      "limits",
    ],
  },
  tools: ["change-setting"],
  commands: ["config", "theme"],
  effects: ["change-memory"],
  cost: "the declaration of its tool, where the words are about settings",
  test: "test/main-job/changing-settings.test.ts › a setting is changed by words: the owner sees it before and after, and it is written after the yes",
};

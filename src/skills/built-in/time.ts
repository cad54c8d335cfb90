import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const time: BuiltInSkill = {
  ...everyTurn,
  name: "time",
  does: "tells the model the time of day and how long the session has lasted",
  effects: [],
  cost: "one line of each prompt",
  test: "src/reason/prompt/assemble-prompt.test.ts › context, logs, time and live numbers are in the message with the person's last words, in this order",
};

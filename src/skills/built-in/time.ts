import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const time: BuiltInSkill = {
  ...everyTurn,
  name: "time",
  does: "tells the model the time of day, how long the session has lasted, and the next appointments",
  effects: [],
  cost: "at most two lines of each prompt",
  test: "test/main-job/time-in-the-prompt.test.ts › each prompt tells the time of day, how long the session has lasted, and the next appointments",
};

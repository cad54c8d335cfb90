import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const time: BuiltInSkill = {
  ...everyTurn,
  name: "time",
  does: "tells the model the time of day, how long the session has lasted, and the next appointments",
  effects: [],
  cost: "one line of each prompt",
  test: "src/memory/notes/nodes/next-appointments.test.ts › the next appointments are those of a day with a time that are open, public and nobody else's words, the nearest first, at most three",
};

import type { Gate } from "./judge.ts";

/** How often a turn may do the same and get the same. Below it stand what people and tests repeat on purpose: look, wait, look again. */
const most = 4;

/** An act that gave the same result again and again in its turn is not done once more: the model goes in a circle, and each round costs time and money. */
export const repetition: Gate = {
  name: "repetition",
  priority: 780,
  revision: 1,
  answer(_effect, { repeats = 0 }) {
    if (repeats < most) return { result: "not-concerned" };
    return {
      result: "block",
      code: "repetition",
      reason: `this was done ${repeats} times in this turn, each time with the same result: do something else, or say what is in the way`,
    };
  },
};

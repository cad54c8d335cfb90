import { usualRepeats } from "../signal/facts.ts";
import type { Gate } from "./judge.ts";

/** An act that gave the same result again and again in its turn is not done once more: the model goes in a circle, and each round costs time and money. */
export const repetition: Gate = {
  name: "repetition",
  priority: 780,
  revision: 2,
  answer(_effect, { repeats = 0, mostRepeats = usualRepeats }) {
    if (repeats < mostRepeats) return { result: "not-concerned" };
    return {
      result: "block",
      code: "repetition",
      reason: `this was done ${repeats} times in this turn, each time with the same result: do something else, or say what is in the way`,
    };
  },
};

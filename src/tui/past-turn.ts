import type { Json, JsonObject } from "../signal/json.ts";

/** A turn of the past, as the daemon tells it. */
export type PastTurn = {
  readonly id: string;
  readonly words: string;
  readonly answer: string;
  /** Characters of the answer that are left out. */
  readonly left: number;
  readonly ended: boolean;
};

/** Reads a turn of the past. */
export function pastOf(turn: JsonObject): PastTurn {
  const text = (key: string): string => {
    const value: Json | undefined = turn[key];
    return typeof value === "string" ? value : "";
  };
  const left = turn["answer-left"];
  return {
    id: text("id"),
    words: text("words"),
    answer: text("answer"),
    left: typeof left === "number" ? left : 0,
    ended: ["answered", "blocked", "failed", "stopped"].includes(text("state")),
  };
}

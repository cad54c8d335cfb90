import type { Json, JsonObject } from "../text/json.ts";
import type { Label } from "./label.ts";

/** A result of this turn with the call that it came from. */
export type CalledResult = {
  readonly id: string;
  /**
   * Its place among all results of the turn, from 1, by which a proposal may refer to its fields; left out
   * where no proposal may.
   */
  readonly number?: number;
  readonly tool: string;
  readonly args: JsonObject;
  readonly content: Json;
  readonly label: Label;
};

/** The words that the agent brought into the files that a result shows, by the id of the result. */
export type WrittenFiles = ReadonlyMap<string, readonly string[]>;

/** The calls that a turn made so far. */
export type CallsOfTurn = {
  /** The results of those that succeeded, in order. */
  readonly results: readonly CalledResult[];
  /** The calls that gave an error; left out where there are none. */
  readonly failed?: readonly FailedCall[];
};

/** The calls of another turn that works for the same request. */
export type OtherTurn = CallsOfTurn & {
  /** How many results this turn had for certain before the other one began; left out where nobody knows. */
  readonly place?: number;
};

/** A call with the values of its arguments. */
export type ApprovedCall = { readonly tool: string; readonly args: JsonObject };

/** A call that gave an error. */
export type FailedCall = ApprovedCall & {
  readonly code: string;
  readonly message: string;
  /** How many results the turn had before it. */
  readonly place: number;
};

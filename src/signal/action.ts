import type { JsonObject } from "./json.ts";

/** A typed proposal, always a request. The target is the name of an actuator; the payload is the actuator's or tool's own. */
export type Action = {
  readonly target: string;
  readonly payload: JsonObject;
  readonly explanation: string;
};

/** One action of an answer. `id` ties its result to it. */
export type Call = { readonly id: string; readonly action: Action };

/** What the judge needs to know of the action as a whole. */
export type ActionFacts = {
  /** `reply`: words to the person of the turn. `model-call`: the loop's own request to a provider. `command`: the owner's own. */
  readonly kind: "proposal" | "reply" | "model-call" | "command";
  readonly target: string;
  readonly tool: string | null;
  readonly explanation: string;
  /** What is wrong with its form, in words; empty where it is well formed. */
  readonly problems: readonly string[];
};

import type { JsonObject } from "../text/json.ts";
import type { SkillNarrowing, SkillOrigin } from "./skill.ts";

/** A typed proposal, always a request. `target` names an actuator; the actuator or tool defines the shape of `payload`. */
export type Action = {
  readonly target: string;
  readonly payload: JsonObject;
  readonly explanation: string;
};

/** One action of a model's answer. `id` links it to its result. */
export type Call = { readonly id: string; readonly action: Action };

/** The facts about the action as a whole. */
export type ActionFacts = {
  /** `reply`: text to the person of the turn. `model-call`: the loop's own request to a provider. `command`: a command of the owner. */
  readonly kind: "proposal" | "reply" | "model-call" | "command";
  readonly target: string;
  readonly tool: string | null;
  readonly explanation: string;
  /** The faults of its form, in words; empty for a well-formed action. */
  readonly problems: readonly string[];
  /** The names of another agent's tools and arguments that the proposal had, and what they were read as; left out where there were none. */
  readonly renamed?: readonly string[];
  /** The arguments that named a value of a result, each with the result; left out where none did. */
  readonly references?: readonly string[];
  /** The skill whose tool was called, which says what it does; left out for every other action. */
  readonly skill?: SkillOrigin;
  /** The skills that take part in the turn and narrow what it may call; left out where none does. */
  readonly narrowed?: readonly SkillNarrowing[];
};

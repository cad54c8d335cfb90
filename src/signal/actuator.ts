import type { JsonObject } from "../text/json.ts";
import type { EffectKind, Reversal } from "./effect.ts";

/**
 * What a proposal may ask of an actuator. `message`: tell a person something; `reply`: tell the person of
 * the turn; `tool`: call any tool; `shell`: run a command; `eval`: evaluate code; `perform`: work of its own.
 */
export type ActuatorCapability = "message" | "reply" | "tool" | "shell" | "eval" | "perform";

/** What an answer has to know of an actuator to name it as a target. */
export type ActuatorTarget = {
  readonly name: string;
  readonly capabilities: readonly ActuatorCapability[];
  /** The JSON schema of the payload, without `explanation`. */
  readonly schema: JsonObject;
};

/** What actions may do at most. What does more is refused before it is judged. */
export type DeclaredEffects = {
  readonly effects: readonly EffectKind[];
  /** The best way back that any of them may claim. Default: each says its own. */
  readonly reversal?: Reversal;
};

/** The actuators that reach a person without a door: the program's own clients. */
export const ownChannels: readonly string[] = ["cli", "tui"];

/**
 * The doors to chat services, with the name of the vault's value that is the key of each. One whose key is
 * there is set up.
 */
export const doorKeys: ReadonlyMap<string, string> = new Map([
  ["telegram", "telegram-token"],
  ["signal", "signal-daemon"],
]);

/**
 * The channels by which only the owner can read what is sent: the program's own clients, and Signal, which is
 * encrypted from this machine to the owner's phone. The service of any other could read it.
 */
export const sealedChannels: ReadonlySet<string> = new Set([...ownChannels, "emacs", "signal"]);

/** Whether a message reached a person; if not, why, in words. */
export type Delivery = { readonly delivered: true } | { readonly delivered: false; readonly reason: string };

/** The names of the actuators of the program and of its doors, whether these are open or not. */
export const ownTargets: readonly string[] = [
  ...ownChannels,
  "emacs",
  ...doorKeys.keys(),
  "tool",
  "shell",
  "system",
];

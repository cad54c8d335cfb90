import type { Action } from "./action.ts";
import type { Effect } from "./effect.ts";
import type { Ask, TraceLine } from "./verdict.ts";

/** What a verdict depended on besides the action and the world, as hashes: the gates, the owner's rules, and the settings that say what is allowed. */
export type PolicyInForce = {
  readonly gates: string;
  readonly rules: string;
  readonly settings: string;
};

/** A value that decides over an effect and does not come from the owner, with the name of its argument. Of a host, the origin of its URL: `https://example.org`. */
export type EndorsableValue = { readonly argument: string; readonly value: string };

/** A question to the owner. Its token is shown once and stored only as a hash. */
export type Approval = {
  readonly tokenHash: string;
  /** Names the question, and answers nothing; missing in questions that older versions kept. */
  readonly id?: string;
  readonly turn: string;
  readonly session: string;
  /** The digest of exactly what is approved. */
  readonly digest: string;
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly trace: readonly TraceLine[];
  /** The codes of the asks that an approval discharges. */
  readonly codes: readonly string[];
  /** The asks with their effects; missing in questions that older versions kept. */
  readonly asks?: readonly Ask[];
  /** What was in force when the owner was asked; missing in questions that older versions kept, whose yes is void. */
  readonly policy?: PolicyInForce;
  /** What would have passed instead, for the model after a no. */
  readonly instead?: string;
  /** Which arguments named a value of a result, in words. */
  readonly references?: readonly string[];
  /** The digest of the rule that was shown with it and would spare it; only this rule is kept by `/always TOKEN keep`. */
  readonly shownRule?: string;
  /** The values whose origin the question is about: an answer may endorse them for the rest of the turn. */
  readonly endorsable?: readonly EndorsableValue[];
  /** Whether the yes endorsed them. */
  readonly endorsed?: true;
  readonly state: "open" | "approved" | "denied" | "expired" | "void";
  readonly createdAt: number;
  /** Unix milliseconds. After this time the answer is no. */
  readonly expiresAt: number;
};

/**
 * The name of a question, by which a client finds it. It is no token: whoever knows it can answer nothing.
 */
export function questionIdOf({ id, turn }: Pick<Approval, "id" | "turn">): string {
  return `question-${(id ?? turn).replaceAll("-", "").slice(0, 12)}`;
}

/** The values that an answer to a question may endorse, as they are shown. */
export function endorsableOf(
  { endorsable = [] }: Pick<Approval, "endorsable">,
  filter: (text: string) => string,
): { readonly endorsable?: readonly string[] } {
  return endorsable.length === 0 ? {} : { endorsable: endorsable.map(({ value }) => filter(value)) };
}

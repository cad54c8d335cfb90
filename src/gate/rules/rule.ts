import type { Effect } from "../../signal/effect.ts";

/** Stands in a rule for one word or file name that may be any. A rule has at most one such place. */
export const anyWord = "⟨any⟩";

/** An effect that a rule allows. Everything that a person saw of it has to be the same again. */
export type RuleEffect =
  | {
      readonly kind: "run-program";
      readonly target: string;
      readonly argv: readonly string[];
      readonly binary: string | null;
      readonly doubt: string;
      readonly network: readonly string[];
      readonly scripts: string | null;
    }
  | {
      readonly kind: "read-path";
      readonly target: string;
      readonly access: "names" | "contents";
      readonly tree: boolean;
    }
  | { readonly kind: "write-path"; readonly target: string }
  | {
      readonly kind: "reach-host";
      readonly target: string;
      readonly scheme: string;
      readonly port: number;
    };

/**
 * What the owner allowed for good. A command with network is allowed with its scripts and the code around
 * as they were then. It discharges the asks of `dischargeable` on the effects that it names, in one
 * workspace; never a block, and no other ask.
 */
export type Rule = {
  readonly name: string;
  /** The real path of the folder in which it counts. */
  readonly workspace: string;
  /** The whole command line, for a rule about programs: variables and input that it sets are no effects. Else null. */
  readonly command: string | null;
  readonly effects: readonly RuleEffect[];
  /** Unix milliseconds. */
  readonly madeAt: number;
  /** Cases that are tried whenever rules are loaded. A rule that fails one is off. */
  readonly examples: { readonly matches: readonly RuleCase[]; readonly differs: readonly RuleCase[] };
};

/** A case for a rule: an action as far as rules look at it. */
export type RuleCase = {
  readonly workspace: string | null;
  readonly command: string | null;
  readonly effect: Effect;
};

/** The ask that a rule may discharge on each kind of effect. Deletions, what is executed later, secrets, private text, programs without a sandbox and private hosts ask each time. */
export const dischargeable: Readonly<Record<RuleEffect["kind"], string>> = {
  "run-program": "unproved-program",
  "read-path": "read-outside",
  "write-path": "write-outside",
  "reach-host": "reach-host",
};

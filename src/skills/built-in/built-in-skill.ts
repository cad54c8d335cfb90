import type { EffectKind } from "../../signal/effect.ts";
import type { SkillTrigger } from "../../signal/skill.ts";

/** A skill of the program itself. Its code is trusted and lies in the rooms of its kind; this describes it in one place. */
export type BuiltInSkill = {
  /** Small letters and hyphens. No taught skill may have the same. */
  readonly name: string;
  /** What it does, as the predicate of a sentence. */
  readonly does: string;
  /** When it takes part in a turn; null: in each. The tools of a skill that does not take part are not declared to a model. */
  readonly trigger: SkillTrigger | null;
  /** Text for the model in the turns that it takes part in, where no taught skill does; empty without one. */
  readonly prompt: string;
  /** The names of what it brings. Each tool, command, gate and job of the program belongs to one built-in skill. */
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly gates: readonly string[];
  readonly jobs: readonly string[];
  /** The kinds of effects that it may propose: with tools, exactly those that they have. */
  readonly effects: readonly EffectKind[];
  /** What it costs, in words. */
  readonly cost: string;
};

/** A skill that takes part in every turn, and brings nothing yet. */
export const everyTurn: Omit<BuiltInSkill, "name" | "does" | "cost"> = {
  trigger: null,
  prompt: "",
  tools: [],
  commands: [],
  gates: [],
  jobs: [],
  effects: [],
};

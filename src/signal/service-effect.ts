/** What a tool of an external server does, as its owner declares it. */
export const effectLabels = [
  "read",
  "egress_read",
  "egress",
  "write",
  "write_external_if_participants",
  "destructive",
  "financial",
  "credential",
  "access_control",
] as const;

export type EffectLabel = (typeof effectLabels)[number];

/** What the owner declares of a tool: its effect, the arguments that decide what it acts on, and those that decide where it goes. */
export type DeclaredEffect = {
  readonly effect: EffectLabel;
  /** Null where nothing is declared; then all arguments decide. */
  readonly critical: readonly string[] | null;
  readonly destinations: readonly string[];
};

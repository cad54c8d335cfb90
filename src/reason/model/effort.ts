/** How much a model thinks before it answers. */
export type Effort = (typeof efforts)[number];

/** All of them, the least first. */
export const efforts = ["off", "low", "medium", "high"] as const;

/**
 * How much a model can be asked to think, how much it is asked to, and how much it does where it is not; null
 * where nothing is asked for or known.
 */
export type ModelEffort = {
  readonly levels: readonly Effort[];
  readonly asked: Effort | null;
  readonly usual: Effort | null;
};

/**
 * The level that a model has for a wanted one: the same, else the next lower one, else the next higher one.
 * Thinking does not become none. Null where it has nothing of the kind.
 */
export function nearestEffort(wanted: Effort, levels: readonly Effort[]): Effort | null {
  if (levels.includes(wanted)) return wanted;
  const at = efforts.indexOf(wanted);
  const others = [...efforts.slice(1, Math.max(1, at)).toReversed(), ...efforts.slice(at + 1)];
  return others.find((one) => levels.includes(one)) ?? null;
}

import type { Source } from "../signal/signal.ts";

/** Whether a person was told; where not, why, in words. */
export type Delivery = { readonly delivered: true } | { readonly delivered: false; readonly reason: string };

/** The port that brings words to the person of a session. */
export type DeliverMessage = (session: string, text: string) => Promise<Delivery>;

/** What performs an action: `message` tells a person, `tool` and `shell` run tools, `system` serves the agent itself. */
export type Actuator =
  | { readonly name: Source; readonly kind: "message"; readonly tell: DeliverMessage }
  | { readonly name: string; readonly kind: "tool" | "shell" | "system" };

/** Names that are found in any case. Two that differ only in case, dashes or underscores cannot stand side by side. */
export type NameRegistry<T> = {
  readonly names: readonly string[];
  readonly find: (name: string) => T | undefined;
};

/** The actuators that run tools; those that tell a person need a way to do so and come from whoever has one. */
export const builtInActuators: readonly Actuator[] = [
  { name: "tool", kind: "tool" },
  { name: "shell", kind: "shell" },
  { name: "system", kind: "system" },
];

/** A roster of named things. Throws, naming both, where two names clash. */
export function makeNameRegistry<T extends { readonly name: string }>(
  what: string,
  entries: readonly T[],
): NameRegistry<T> {
  const clash = findClash(entries.map((entry) => entry.name));
  if (clash !== null) {
    throw new Error(
      `Two ${what}s are called '${clash[0]}' and '${clash[1]}', which mean the same. Rename one of them.`,
    );
  }
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  return { names: entries.map((entry) => entry.name), find: (name) => byName.get(name.toLowerCase()) };
}

/** The first two names that fold together, or null. */
export function findClash(names: readonly string[]): readonly [string, string] | null {
  const folded = new Map<string, string>();
  for (const name of names) {
    const other = folded.get(foldName(name));
    if (other !== undefined) return [other, name];
    folded.set(foldName(name), name);
  }
  return null;
}

/** A name without case, dashes and underscores, as a form's keyword spells it. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

import type { Source } from "../signal/signal.ts";

/** Whether a message reached a person; if not, why, in words. */
export type Delivery = { readonly delivered: true } | { readonly delivered: false; readonly reason: string };

/** The port that delivers text to the person of a session. */
export type DeliverMessage = (session: string, text: string) => Promise<Delivery>;

/** A part that performs actions: `message` tells a person, `tool` and `shell` run tools, `system` serves the agent itself. */
export type Actuator =
  | { readonly name: Source; readonly kind: "message"; readonly tell: DeliverMessage }
  | { readonly name: string; readonly kind: "tool" | "shell" | "system" };

/** Named entries, found in any case. No two names may differ only in case, dashes or underscores. */
export type NameRegistry<T> = {
  readonly names: readonly string[];
  readonly find: (name: string) => T | undefined;
};

/** The actuators that run tools. An actuator that tells a person comes from the part that can deliver messages. */
export const builtInActuators: readonly Actuator[] = [
  { name: "tool", kind: "tool" },
  { name: "shell", kind: "shell" },
  { name: "system", kind: "system" },
];

/** Makes a registry. Throws if two names clash, and names both. */
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

/** The first two names that fold to the same name, or null. */
export function findClash(names: readonly string[]): readonly [string, string] | null {
  const folded = new Map<string, string>();
  for (const name of names) {
    const other = folded.get(foldName(name));
    if (other !== undefined) return [other, name];
    folded.set(foldName(name), name);
  }
  return null;
}

/** A name in lower case, without dashes and underscores. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

import { type UsageKey, usageKeys } from "../signal/spending.ts";

/** A command about what was spent: what is left of the caps, or so many dollars more for today; or what calls took, by one of their properties. */
export type SpendingCommand =
  | { readonly kind: "budget"; readonly more: number | null }
  | { readonly kind: "usage"; readonly by: UsageKey };

/** Whether a name is that of such a command. */
export function isSpending(name: string): name is SpendingCommand["kind"] {
  return name === "budget" || name === "usage";
}

/** Reads what stands behind the name; null where it is not understood. */
export function spendingCommand(name: SpendingCommand["kind"], rest: string): SpendingCommand | null {
  if (name === "usage") {
    const by = rest === "" ? "day" : usageKeys.find((key) => key === rest);
    return by === undefined ? null : { kind: name, by };
  }
  if (rest === "") return { kind: name, more: null };
  const [, dollars] = /^more\s+\$?(\d{1,6}(?:\.\d{1,6})?)$/i.exec(rest) ?? [];
  return dollars === undefined || Number(dollars) === 0 ? null : { kind: name, more: Number(dollars) };
}

import type { Killed } from "./kill-program.ts";
import type { Scenario } from "./scenarios.ts";
import type { TakenUp } from "./take-up.ts";
import type { World } from "./world.ts";

/** All that one run left behind. */
export type Run = {
  readonly world: World;
  readonly scenario: Scenario;
  readonly killed: Killed;
  readonly taken: TakenUp;
};

/** What was held against an invariant in one run: how many things, and in words those that broke it. */
export type Holding = { readonly checked: number; readonly broken: readonly string[] };

/** Holds each item against a rule that gives null, or what is wrong with it in words. */
export function holding<T>(items: readonly T[], wrong: (item: T) => string | null): Holding {
  return { checked: items.length, broken: items.flatMap((item) => wrong(item) ?? []) };
}

/** Several holdings as one. */
export function sum(holdings: readonly Holding[]): Holding {
  return {
    checked: holdings.reduce((total, { checked }) => total + checked, 0),
    broken: holdings.flatMap(({ broken }) => broken),
  };
}

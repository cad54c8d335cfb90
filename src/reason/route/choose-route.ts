import type { ChosenModel } from "../../signal/chosen-model.ts";
import type { ModelRoute } from "../../signal/model-route.ts";
import type { RouteCondition, RouteRule } from "./read-routes.ts";

/** What rules can ask of a turn. */
export type RouteSigns = {
  /** Who began it, or the turn at its beginning. `heartbeat`: nobody but the clock of the daemon. */
  readonly begunBy: "person" | "job" | "event" | "heartbeat";
  /** Whether a model began it in another turn. */
  readonly isSubTask: boolean;
  /** The name of its job; null for other turns. */
  readonly job: string | null;
  /** Whether the owner gave its job to the small model. */
  readonly isCognition: boolean;
  /** Tokens of what was said and attached. */
  readonly tokens: number;
  /** Why it is hard, in words; empty for an easy one. */
  readonly difficulty: readonly string[];
  /** Whether private text is in it. */
  readonly isPrivate: boolean;
};

/**
 * Which models the rules choose of the cascade, and never another; null where no rule matches, and all are
 * asked in their order. Rules are read in order: each `skip` that matches
 * takes its providers out, and the first other rule that matches decides: its models are asked alone, or before the rest. A choice of nothing is an answer by reflex.
 */
export function chooseRoute(
  rules: readonly RouteRule[],
  cascade: readonly string[],
  signs: RouteSigns,
): ModelRoute | null {
  const used = decidingRules(rules, signs);
  const last = used.at(-1);
  if (last === undefined) return null;
  const chosen = last.does === "skip" ? [] : last.models;
  const rest = last.does === "only" ? [] : cascade.map((provider) => ({ provider, model: null }));
  const named = new Set(chosen.map(({ provider }) => provider));
  const skipped = new Set(
    used
      .filter(({ does }) => does === "skip")
      .flatMap(({ models }) => models.map(({ provider }) => provider)),
  );
  return {
    by: used.map(({ text }) => text).join("; "),
    asked: [...chosen, ...rest.filter(({ provider }) => !named.has(provider))].filter(
      ({ provider }) => cascade.includes(provider) && !skipped.has(provider),
    ),
    isPrivate: signs.isPrivate,
  };
}

/** The rule by which a model may not be asked, as the owner wrote it; null where none keeps it away. */
export function forbiddenBy(
  rules: readonly RouteRule[],
  signs: RouteSigns,
  { provider, model }: ChosenModel,
): string | null {
  const forbidding = decidingRules(rules, signs).find(({ does, models }) => {
    const isNamed = models.some(
      (one) => one.provider === provider && (one.model === null || one.model === model),
    );
    return does === "only" ? !isNamed : does === "skip" && models.some((one) => one.provider === provider);
  });
  return forbidding?.text ?? null;
}

/** The rules that decide, in order: those that skip, and the first other one as the last. */
function decidingRules(rules: readonly RouteRule[], signs: RouteSigns): readonly RouteRule[] {
  const matching = rules.filter((rule) =>
    rule.when.every(({ holds, condition }) => holdsFor(condition, signs) === holds),
  );
  const decides = matching.findIndex(({ does }) => does !== "skip");
  return decides < 0 ? matching : matching.slice(0, decides + 1);
}

function holdsFor(condition: RouteCondition, signs: RouteSigns): boolean {
  switch (condition.kind) {
    case "always":
      return true;
    case "private":
      return signs.isPrivate;
    case "hard":
      return signs.difficulty.length > 0;
    case "easy":
      return signs.difficulty.length === 0;
    case "person":
    case "event":
      return signs.begunBy === condition.kind;
    case "sub-task":
      return signs.isSubTask;
    case "cognition":
      return signs.isCognition;
    case "job":
      return signs.job !== null && (condition.name === null || condition.name === signs.job);
    case "over":
      return signs.tokens > condition.tokens;
    case "under":
      return signs.tokens < condition.tokens;
  }
}

/** Whether any rule asks for private text: only then is it worth finding out. */
export function asksForPrivacy(rules: readonly RouteRule[]): boolean {
  return rules.some(({ when }) => when.some(({ condition }) => condition.kind === "private"));
}

import { canonicalJson } from "../../text/json.ts";
import { ruleProblem } from "./check-rule.ts";
import {
  type AnsweredAction,
  type AskedAction,
  backTest,
  exactRule,
  isSpared,
  openRules,
} from "./propose-rule.ts";
import type { Rule } from "./rule.ts";

/** A rule with an open word that runs in shadow: it allows nothing, and `agreed` counts the later questions that it would have spared and that the owner answered yes. */
export type ShadowRule = { readonly rule: Rule; readonly agreed: number };

/** How often a rule in shadow has to agree before it is offered. */
const fewestAgreements = 3;

/** The most rules in shadow; those that agreed least, then the oldest, go first. */
const mostInShadow = 100;

/**
 * What an answer of the owner makes of the rules in shadow. Each that would have spared the question counts a yes, and ends with a no. A yes that differs
 * from a former one in a single word puts a rule with this word open into shadow, unless the owner refused an action that it would have allowed.
 */
export function observeAnswer(
  shadow: readonly ShadowRule[],
  answer: AnsweredAction,
  before: readonly AnsweredAction[],
  at: number,
): readonly ShadowRule[] {
  const left = shadow.flatMap((one): readonly ShadowRule[] => {
    if (!isSpared(one.rule, answer)) return [one];
    return answer.yes ? [{ ...one, agreed: one.agreed + 1 }] : [];
  });
  if (!answer.yes) return left;
  const known = new Set(shadow.map(({ rule }) => keyOf(rule)));
  const exact = exactRule(answer, at);
  const fresh = typeof exact === "string" ? [] : openRules(exact, before).filter(isPlausible);
  const added = fresh.filter((rule) => !known.has(keyOf(rule))).map((rule) => ({ rule, agreed: 0 }));
  return [...left, ...added]
    .toSorted((one, other) => other.agreed - one.agreed || other.rule.madeAt - one.rule.madeAt)
    .slice(0, mostInShadow);

  function isPlausible(rule: Rule): boolean {
    return ruleProblem(rule) === null && backTest(rule, before).no === 0;
  }
}

/** The rules in shadow that agreed often enough and would spare a question. */
export function ripeRules(shadow: readonly ShadowRule[], asked: AskedAction): readonly Rule[] {
  return shadow.flatMap(({ rule, agreed }) =>
    agreed >= fewestAgreements && ruleProblem(rule) === null && isSpared(rule, asked) ? [rule] : [],
  );
}

/** Two rules that allow the same are one, whatever they were made from. */
function keyOf({ workspace, command, effects }: Rule): string {
  return canonicalJson({ workspace, command, effects });
}

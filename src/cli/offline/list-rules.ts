import { answeredActions } from "../../daemon/commands/rule-commands.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { RuleBook } from "../../settings/rule-book.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { openStateReader } from "./read-state.ts";

/** A rule as it is listed. `problem` is null where it is in force. */
export type ListedRule = {
  readonly name: string;
  readonly words: readonly string[];
  readonly madeAt: number;
  readonly problem: string | null;
};

/** A rule with how the owner answered the questions that it would have spared. */
export type TestedRule = ListedRule & { readonly yes: number; readonly no: number };

/** The rules of this user. Throws where their file cannot be used. */
export function listRules(start: StartContext): readonly ListedRule[] {
  return listed(usable(start));
}

/** Tries the rules on their examples and on the questions that the owner answered. */
export async function testRules(start: StartContext): Promise<readonly TestedRule[]> {
  const rules = usable(start);
  if (rules.all().length === 0) return [];
  const { state, ...reader } = await openStateReader(start);
  await using _ = reader;
  const answered = await answeredActions({ state, policy: { rules } });
  return rules.all().map((kept) => {
    const { yes, no } = rules.backTest(kept.rule, answered);
    return { ...listedRule(rules, kept), yes, no };
  });
}

/** Forgets a rule; false where there is none of this name. */
export function forgetRule(start: StartContext, name: string): boolean {
  return usable(start).forget(name);
}

function usable({ environment }: StartContext): RuleBook {
  const { rules } = loadPolicy(environment);
  const fault = rules.fault();
  if (fault !== null) throw new Error(fault);
  return rules;
}

function listed(rules: RuleBook): readonly ListedRule[] {
  return rules.all().map((kept) => listedRule(rules, kept));
}

function listedRule(rules: RuleBook, { rule, problem }: ReturnType<RuleBook["all"]>[number]): ListedRule {
  return { name: rule.name, words: rules.describe(rule), madeAt: rule.madeAt, problem };
}

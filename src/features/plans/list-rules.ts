import { answeredActions } from "../../daemon/commands/rule-commands.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { openStateReader } from "../../program/read-state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { RuleBook } from "../../settings/rule-book.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** A rule as it is listed. `problem` is null where it is in force. */
export type ListedRule = {
  readonly name: string;
  readonly words: readonly string[];
  readonly madeAt: number;
  readonly problem: string | null;
  /** Of a rule that runs in shadow and allows nothing yet: how often it agreed; left out where the rule is the owner's. */
  readonly agreed?: number;
};

/** A rule with how the owner answered the questions that it would have spared. */
export type TestedRule = ListedRule & { readonly yes: number; readonly no: number };

/** The rules of this user. Throws where their file cannot be used. */
export function listRules(start: StartContext): readonly ListedRule[] {
  return listed(usable(start));
}

/** The rules that run in shadow: they are offered once they agreed often enough. */
export async function listShadowRules(start: StartContext): Promise<readonly ListedRule[]> {
  const rules = usable(start);
  try {
    const { state, ...reader } = await openStateReader(start);
    await using _ = reader;
    return rules
      .readShadow(await state.shadowRules.get())
      .map(({ rule, agreed }) => ({ ...listedRule(rules, { rule, problem: null }), agreed }));
  } catch (error) {
    if (error instanceof StateProblem && error.code === "missing") return [];
    throw error;
  }
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

import type { Effect } from "../../signal/effect.ts";
import type { Ask } from "../../signal/verdict.ts";
import { canonicalJson } from "../../text/json.ts";
import { ruleProblem } from "./check-rule.ts";
import { codeAllowed, isPlainWord, ruleEffectOf } from "./match-rule.ts";
import { anyWord, dischargeable, type Rule, type RuleCase, type RuleEffect } from "./rule.ts";

/** A question as rules look at it. */
export type AskedAction = {
  readonly workspace: string | null;
  readonly command: string | null;
  readonly effects: readonly Effect[];
  readonly asks: readonly Ask[];
};

/** A question with its answer. */
export type AnsweredAction = AskedAction & { readonly yes: boolean };

/** A rule that would have spared a question, and how the owner answered the questions that it would have matched. */
export type ProposedRule = { readonly rule: Rule; readonly yes: number; readonly no: number };

/**
 * The rule that would spare this question from now on: the first of those that ran in shadow and agreed often enough (`ripe`), where the owner refused
 * nothing that it would have allowed, else one for this very action. In words why there is none.
 */
export function proposeRule(
  asked: AskedAction,
  answered: readonly AnsweredAction[],
  { ripe, at }: { readonly ripe: readonly Rule[]; readonly at: number },
): ProposedRule | string {
  const exact = exactRule(asked, at);
  if (typeof exact === "string") return exact;
  const [open] = ripe.map((rule) => backTest(rule, answered)).filter(({ no }) => no === 0);
  if (open !== undefined) return { ...open, rule: { ...open.rule, madeAt: at } };
  const problem = ruleProblem(exact);
  return problem === null ? backTest(exact, answered) : problem;
}

/** How the owner answered the questions that a rule would have spared as a whole. */
export function backTest(rule: Rule, answered: readonly AnsweredAction[]): ProposedRule {
  const matched = answered.filter((one) => isSpared(rule, one));
  const yes = matched.filter((one) => one.yes).length;
  return { rule, yes, no: matched.length - yes };
}

/** Whether a rule discharges every ask of a question. */
export function isSpared(rule: Rule, { workspace, command, effects, asks }: AskedAction): boolean {
  return (
    asks.length > 0 &&
    asks.every(({ code, effectIndex }) => {
      const effect = effects[effectIndex];
      return effect !== undefined && codeAllowed(rule, { workspace, command, effect }) === code;
    })
  );
}

/** The rule for exactly what a question is about; in words why there is none. */
export function exactRule({ workspace, command, effects, asks }: AskedAction, madeAt: number): Rule | string {
  if (workspace === null) return "a rule belongs to a folder, and this session has none";
  const asked = [...new Set(asks.map(({ effectIndex }) => effectIndex))].flatMap(
    (index) => effects[index] ?? [],
  );
  const allowed = asked.flatMap((effect) => ruleEffectOf(effect) ?? []);
  const foreign = asks.find(({ code, effectIndex }) => {
    const kind = effects[effectIndex]?.kind;
    return !Object.entries(dischargeable).some(([one, named]) => one === kind && named === code);
  });
  if (foreign !== undefined || allowed.length < asked.length || allowed.length === 0)
    return "what it does is asked about each time, whatever the rules say";
  if (asked.some(({ kind, label }) => kind === "write-path" && label.integrity === "untrusted"))
    return "words of others flow into what it writes, and that is asked about each time";
  if (asked.some(({ label }) => label.secrecy !== "public"))
    return "private text flows into it, and that is asked about each time";
  if ([command ?? "", ...allowed.map(({ target }) => target)].some((text) => text.includes(anyWord)))
    return "its words cannot stand in a rule";
  const runs = allowed.some(({ kind }) => kind === "run-program");
  const once = [...new Map(allowed.map((effect) => [canonicalJson(effect), effect])).values()];
  const rule = { workspace, command: runs ? command : null, effects: once, madeAt };
  const matches = asked.map((effect) => ({ workspace, command, effect }));
  return {
    ...rule,
    name: nameOf(rule.command, allowed),
    examples: { matches, differs: matches.flatMap(nearMisses) },
  };
}

/** A name that tells what the rule is about. Names of rules are made unique where they are kept. */
function nameOf(command: string | null, effects: readonly RuleEffect[]): string {
  const words = command ?? `${effects[0]?.kind ?? ""} ${effects[0]?.target ?? ""}`;
  const plain = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "").slice(0, 40).replace(/-$/, "") || "rule";
}

/** Cases beside one that a rule is made for: what a person who allowed that one did not allow. */
function nearMisses(one: RuleCase): readonly RuleCase[] {
  const { effect, workspace, command } = one;
  const elsewhere = { ...one, workspace: `${workspace}-other` };
  const secret = { ...one, effect: { ...effect, label: { ...effect.label, secrecy: "secret" as const } } };
  const climbing = { ...one, effect: { ...effect, target: `${effect.target}/../other` } };
  if (effect.kind !== "run-program") return [elsewhere, secret, climbing];
  return [
    elsewhere,
    secret,
    { ...one, command: `${command}; rm -r .` },
    { ...one, command: `X=1 ${command}` },
    { ...one, effect: { ...effect, confined: false } },
    { ...one, effect: { ...effect, argv: [...effect.argv, "--force"] } },
    { ...one, effect: { ...effect, binary: "/tmp/other" } },
    { ...one, effect: { ...effect, network: [...(effect.network ?? []), "other.example:443"] } },
    { ...one, effect: { ...effect, scripts: "other bytes" } },
  ];
}

/** The rules that leave one word of an exact rule open, where an allowed action differs from it in that word alone. */
export function openRules(exact: Rule, answered: readonly AnsweredAction[]): readonly Rule[] {
  const places = new Set(answered.filter(({ yes }) => yes).flatMap((one) => openWord(exact, one) ?? []));
  return [...places].map((word) => opened(exact, word));
}

/** The word of an exact rule in whose place an action has another one; null where more differs, or nothing. */
function openWord(exact: Rule, other: AskedAction): string | null {
  const [mine, theirs] = [textOf(exact), textOf(other)];
  if (mine === null || theirs === null || mine === theirs) return null;
  const split = (text: string): readonly string[] => text.split(/([\s/])/);
  const [one, two] = [split(mine), split(theirs)];
  const differing = one.flatMap((word, index) => (word === two[index] ? [] : [index]));
  const [only] = differing;
  if (one.length !== two.length || only === undefined || differing.length > 1) return null;
  const word = one[only] ?? "";
  const isOnce = one.filter((part) => part.includes(word)).length === 1;
  return only > 0 && isOnce && isPlainWord(word) && isPlainWord(two[only] ?? "") ? word : null;
}

/** The text in which a word may be open: the command line, else the target of the only effect. */
function textOf(
  about: Pick<Rule, "command"> & { readonly effects: readonly { readonly target: string }[] },
): string | null {
  if (about.command !== null) return about.command;
  return about.effects.length === 1 ? (about.effects[0]?.target ?? null) : null;
}

function opened(exact: Rule, word: string): Rule {
  const open = (text: string): string =>
    text
      .split(/([\s/])/)
      .map((part) => (part === word ? anyWord : part))
      .join("");
  const command = exact.command === null ? null : open(exact.command);
  const effects = exact.effects.map((effect): RuleEffect => {
    if (effect.kind === "run-program")
      return { ...effect, argv: effect.argv.map((part) => (part === word ? anyWord : part)) };
    return exact.command === null && effect.kind !== "reach-host"
      ? { ...effect, target: open(effect.target) }
      : effect;
  });
  return { ...exact, name: nameOf(command, effects), command, effects };
}

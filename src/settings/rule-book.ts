import { readFileSync } from "node:fs";
import { z } from "zod";
import { ruleProblem } from "../gate/rules/check-rule.ts";
import { describeRule } from "../gate/rules/describe-rule.ts";
import { licencesOfRules } from "../gate/rules/match-rule.ts";
import {
  type AnsweredAction,
  type AskedAction,
  backTest,
  type ProposedRule,
  proposeRule,
} from "../gate/rules/propose-rule.ts";
import type { Rule } from "../gate/rules/rule.ts";
import { observeAnswer, ripeRules, type ShadowRule } from "../gate/rules/shadow.ts";
import { digestOf } from "../machine/digest.ts";
import type { Effect } from "../signal/effect.ts";
import type { Licence } from "../signal/facts.ts";
import { describeError } from "../text/describe-error.ts";
import { canonicalJson, type Json } from "../text/json.ts";
import { replaceFile, versionOfFile } from "./replace-file.ts";

/** A rule as it is kept, and what is wrong with it: null where it is in force. */
export type KeptRule = { readonly rule: Rule; readonly problem: string | null };

/** The rules that the owner taught, in a file of the configuration folder that no action may write. It is read again whenever it changed. */
export type RuleBook = {
  readonly path: string;
  readonly all: () => readonly KeptRule[];
  /** Why the file cannot be used, in words; null if it can, or if there is none. No rule is in force then. */
  readonly fault: () => string | null;
  /** Everything that keeps a rule out of force, in words. */
  readonly problems: () => readonly string[];
  /** A hash of the rules in force, whatever their order in the file. */
  readonly digest: () => string;
  /** How many rules are in force. */
  readonly count: () => number;
  readonly licencesFor: (about: Parameters<typeof licencesOfRules>[1]) => readonly Licence[];
  /** The rule that would spare a question, by the last answers and the rules in shadow; in words why there is none. */
  readonly propose: (
    asked: AskedAction,
    answered: readonly AnsweredAction[],
    shadow: Json,
  ) => ProposedRule | string;
  /** The rules in shadow after an answer of the owner. */
  readonly observe: (shadow: Json, answer: AnsweredAction, before: readonly AnsweredAction[]) => Json;
  /** The rules in shadow as they are kept; none where they cannot be read. */
  readonly readShadow: (kept: Json) => readonly ShadowRule[];
  readonly backTest: (rule: Rule, answered: readonly AnsweredAction[]) => ProposedRule;
  readonly describe: (rule: Rule) => readonly string[];
  /** The hash of what a rule allows, whatever its name and examples are. */
  readonly digestOf: (rule: Rule) => string;
  /** Keeps a rule and gives the name that it has from now on. Throws where the file cannot be used or written. */
  readonly keep: (rule: Rule) => string;
  /** Forgets a rule; false if there is none of this name. Throws where the file cannot be used or written. */
  readonly forget: (name: string) => boolean;
};

const text = z.string().min(1).max(30_000);
const effectSchema = z.looseObject({ kind: text, target: text });
const caseSchema = z.strictObject({
  workspace: text.nullable(),
  command: z.string().max(30_000).nullable(),
  // Matching looks at every field that counts, and what lacks one does not match.
  effect: effectSchema.transform((effect) => effect as unknown as Effect),
});
const ruleEffectSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("run-program"),
    target: text,
    argv: z.array(z.string()).min(1),
    binary: z.string().nullable(),
    doubt: z.string(),
    network: z.array(text),
    scripts: text.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal("read-path"),
    target: text,
    access: z.enum(["names", "contents"]),
    tree: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("write-path"), target: text }),
  z.strictObject({ kind: z.literal("reach-host"), target: text, scheme: text, port: z.int() }),
]);
const ruleSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/),
  workspace: text,
  command: text.nullable(),
  effects: z.array(ruleEffectSchema),
  madeAt: z.number(),
  examples: z.strictObject({ matches: z.array(caseSchema), differs: z.array(caseSchema) }),
});
const fileSchema = z.strictObject({ version: z.literal(1), rules: z.array(ruleSchema).max(1000) });

const shadowSchema = z.array(z.strictObject({ rule: ruleSchema, agreed: z.int().min(0) }));

function readShadow(kept: Json): readonly ShadowRule[] {
  const parsed = shadowSchema.safeParse(kept);
  return parsed.success ? parsed.data : [];
}

function jsonOf(shadow: readonly ShadowRule[]): Json {
  return JSON.parse(JSON.stringify(shadow));
}

type Read = { readonly key: string; readonly rules: readonly KeptRule[]; readonly fault: string | null };

/** Opens the rule book of a file, which need not exist. */
export function openRuleBook(path: string): RuleBook {
  let known: Read = { key: "", rules: [], fault: null };
  const read = (): Read => {
    const key = versionOfFile(path);
    if (key !== known.key) known = readRules(path, key);
    return known;
  };
  const change = (to: (rules: readonly Rule[]) => readonly Rule[]): void => {
    const { rules, fault } = read();
    if (fault !== null) throw new Error(fault);
    const changed = to(rules.map(({ rule }) => rule));
    replaceFile(path, `${JSON.stringify({ version: 1, rules: changed }, null, 2)}\n`);
  };
  const inForce = (): readonly Rule[] =>
    read().rules.flatMap(({ rule, problem }) => (problem === null ? [rule] : []));
  return {
    path,
    all: () => read().rules,
    fault: () => read().fault,
    problems() {
      const { fault, rules } = read();
      const off = rules.flatMap(({ rule, problem }) =>
        problem === null
          ? []
          : [
              `The rule ${rule.name} is off: ${problem}. Forget it by: passepartout rules forget ${rule.name}`,
            ],
      );
      return fault === null ? off : [fault];
    },
    digest: () =>
      digestOf(
        inForce()
          .map((rule) => canonicalJson(rule))
          .sort(),
      ),
    count: () => inForce().length,
    licencesFor: (about) => licencesOfRules(inForce(), about),
    propose: (asked, answered, shadow) =>
      proposeRule(asked, answered, { ripe: ripeRules(readShadow(shadow), asked), at: Date.now() }),
    observe: (shadow, answer, before) =>
      jsonOf(observeAnswer(readShadow(shadow), answer, before, Date.now())),
    readShadow,
    backTest,
    describe: describeRule,
    digestOf: ({ workspace, command, effects }) => digestOf({ workspace, command, effects }),
    keep(rule) {
      const taken = new Set(read().rules.map((kept) => kept.rule.name));
      const name = freeName(rule.name, taken);
      change((rules) => [...rules, { ...rule, name }]);
      return name;
    },
    forget(name) {
      if (!read().rules.some(({ rule }) => rule.name === name)) return false;
      change((rules) => rules.filter((rule) => rule.name !== name));
      return true;
    },
  };
}

function readRules(path: string, key: string): Read {
  const broken = (why: string): Read => ({
    key,
    rules: [],
    fault: `${path} cannot be used, so no rule is in force: ${why}. Mend it, or move it away.`,
  });
  let contents: string;
  try {
    contents = readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? { key, rules: [], fault: null } : broken(describeError(error));
  }
  try {
    const parsed = fileSchema.safeParse(JSON.parse(contents));
    if (!parsed.success) return broken(z.prettifyError(parsed.error).split("\n").slice(0, 2).join(" "));
    return {
      key,
      rules: parsed.data.rules.map((rule) => ({ rule, problem: ruleProblem(rule) })),
      fault: null,
    };
  } catch (error) {
    return broken(describeError(error));
  }
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}

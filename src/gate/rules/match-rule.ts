import { type Effect, unknownScripts } from "../../signal/effect.ts";
import type { Licence } from "../../signal/facts.ts";
import { canonicalJson } from "../../text/json.ts";
import { anyWord, dischargeable, type Rule, type RuleCase, type RuleEffect } from "./rule.ts";

/** The licences that rules give an action, one for each effect that a rule names. */
export function licencesOfRules(
  rules: readonly Rule[],
  { workspace, command, effects }: Omit<RuleCase, "effect"> & { readonly effects: readonly Effect[] },
): readonly Licence[] {
  return rules.flatMap((rule) =>
    effects.flatMap((effect, index) => {
      const code = codeAllowed(rule, { workspace, command, effect });
      return code === null
        ? []
        : [{ kind: "rule" as const, name: rule.name, discharges: [code], effectIndexes: [index] }];
    }),
  );
}

/** The ask that a rule discharges on an effect; null where it says nothing about it. */
export function codeAllowed(rule: Rule, { workspace, command, effect }: RuleCase): string | null {
  if (workspace !== rule.workspace || effect.label.secrecy !== "public") return null;
  const asked = ruleEffectOf(effect);
  if (asked === null || (asked.kind === "run-program" && rule.command === null)) return null;
  const byCommand = asked.kind === "run-program" ? wordFor(rule.command ?? "", command ?? "") : "";
  if (byCommand === null) return null;
  const allowed = rule.effects.find((one) => {
    const word = byCommand === "" ? wordFor(one.target, asked.target) : byCommand;
    return word !== null && canonicalJson(withWord(one, word)) === canonicalJson(asked);
  });
  if (allowed === undefined) return null;
  const isOpen = canonicalJson(allowed).includes(anyWord) || allowed.kind === "write-path";
  return isOpen && effect.label.integrity === "untrusted" ? null : dischargeable[asked.kind];
}

/** An effect as far as rules look at it; null for one that no rule can allow. */
export function ruleEffectOf(effect: Effect): RuleEffect | null {
  const { target } = effect;
  switch (effect.kind) {
    case "run-program": {
      const { kind, argv, binary, doubt, network = [], scripts = null, confined, proof } = effect;
      if (scripts === unknownScripts) return null;
      return confined && proof === null ? { kind, target, argv, binary, doubt, network, scripts } : null;
    }
    case "read-path": {
      const { kind, access, tree } = effect;
      return { kind, target, access, tree };
    }
    case "write-path": {
      const isPlain = effect.reversal === "undoable" && effect.tree === undefined;
      const isMarked =
        (effect.lifts ?? effect.executedLater ?? effect.breaks ?? effect.opens ?? effect.gets) !== undefined;
      return isPlain && !isMarked ? { kind: effect.kind, target } : null;
    }
    case "reach-host": {
      const { kind, scheme, port } = effect;
      return { kind, target, scheme, port };
    }
    case "delete-path":
    case "tell-person":
    case "call-model":
    case "change-memory":
    case "evaluate":
    case "use-service":
      return null;
  }
}

/** What stands in a text in the place of `anyWord`: empty where the template has none and the text is the same, null where it does not fit. */
function wordFor(template: string, text: string): string | null {
  const [before = "", after] = template.split(anyWord);
  if (after === undefined) return template === text ? "" : null;
  if (text.length <= before.length + after.length) return null;
  if (!text.startsWith(before) || !text.endsWith(after)) return null;
  const word = text.slice(before.length, text.length - after.length);
  return isPlainWord(word) ? word : null;
}

/** One word of letters, digits and `_.@+-` that begins with a letter or digit: no option, no hidden file, no path, nothing that a shell would read otherwise. */
export function isPlainWord(word: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}_.@+-]{0,99}$/u.test(word) && !word.includes("..");
}

function withWord(effect: RuleEffect, word: string): RuleEffect {
  const filled = (text: string): string => text.replace(anyWord, word);
  const target = filled(effect.target);
  return effect.kind === "run-program"
    ? { ...effect, target, argv: effect.argv.map(filled) }
    : { ...effect, target };
}

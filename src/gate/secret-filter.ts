import type { Effect } from "../signal/effect.ts";
import { type Facts, privateTextRule } from "../signal/facts.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** Keeps secrets in. A secret that the scanner found may not leave to a person, a model or a host, and asks before it goes anywhere else. */
export const secretFilter: Gate = {
  name: "secret-filter",
  priority: 600,
  revision: 2,
  answer(effect, facts, index) {
    const found = describeFindings(facts, index);
    const what =
      found ??
      (isKept(effect) && effect.label.secrecy === "secret" ? "content that is labelled secret" : null);
    if (what === null) return { result: "not-concerned" };
    return leaves(effect)
      ? {
          result: "block",
          code: "secret-leaves",
          reason: `${what} would leave by ${place(effect)}: remove it`,
        }
      : { result: "ask", code: "secret-kept", reason: `${what} would go into ${place(effect)}` };
  },
};

/** Describes the scanner's findings in one effect, in words; null if there are none. */
export function describeFindings({ findings }: Facts, index: number): string | null {
  const rules = new Set(
    findings
      .filter(({ effectIndex, rule }) => effectIndex === index && rule !== privateTextRule)
      .map(({ rule }) => oneLine(rule)),
  );
  return rules.size === 0 ? null : `a secret (${[...rules].sort().join(", ")})`;
}

function leaves(effect: Effect): boolean {
  if (effect.kind === "use-service") return effect.act !== "credential";
  return effect.kind === "tell-person" || effect.kind === "call-model" || effect.kind === "reach-host";
}

function isKept(effect: Effect): boolean {
  return (
    effect.kind === "write-path" ||
    effect.kind === "run-program" ||
    effect.kind === "evaluate" ||
    effect.kind === "use-service"
  );
}

function place(effect: Effect): string {
  return `${effect.kind} ${oneLine(effect.target)}`;
}

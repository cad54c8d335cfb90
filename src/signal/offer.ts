import { escapeInvisible } from "../text/escape-invisible.ts";

/** What a yes can also say. A client answers by the id. */
export type Offer = {
  readonly id: "value" | "rule";
  /** `endorse`: the values that the question is about count as the owner's until the turn ends. `keep-rule`: the rule is kept that would spare the question. */
  readonly effect: "endorse" | "keep-rule";
  /** In lines: what it is, then of a rule each part. */
  readonly words: readonly string[];
};

/** The offers of a question: about the values that it is about, and the parts of the rule that would spare it. */
export function makeOffers({
  values,
  rule,
  workspace,
}: {
  readonly values: readonly string[];
  readonly rule: readonly string[];
  readonly workspace: string | null;
}): { readonly offers?: readonly Offer[] } {
  const named = [...new Set(values)].map((value) => `“${escapeInvisible(value)}”`).join(", ");
  const place = workspace === null ? "" : ` in ${escapeInvisible(workspace)}`;
  const parts = [...new Set(rule.map((part) => escapeInvisible(part.trim())))];
  const offers: readonly Offer[] = [
    ...(named === ""
      ? []
      : [
          {
            id: "value",
            effect: "endorse",
            words: [`yes, and ${named} counts as yours until this task ends`],
          } as const,
        ]),
    ...(parts.length === 0
      ? []
      : [{ id: "rule", effect: "keep-rule", words: [`yes, and always${place}:`, ...parts] } as const]),
  ];
  return offers.length === 0 ? {} : { offers };
}

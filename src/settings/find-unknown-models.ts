import type { RouteRule } from "../reason/route/read-routes.ts";
import type { ChosenModel } from "../signal/chosen-model.ts";

/** The providers of rules, and of `CONSENSUS_MODELS`, that the cascade does not have. Both stand nevertheless: what they keep from other providers, or from running unasked, stays so. */
export function findUnknownModels(
  { rules, consensus }: { readonly rules: readonly RouteRule[]; readonly consensus: readonly ChosenModel[] },
  cascade: readonly string[],
): readonly string[] {
  const unknown = (models: readonly ChosenModel[], where: string): readonly string[] =>
    models
      .filter(({ provider }) => !cascade.includes(provider))
      .map(
        ({ provider }) =>
          `${where.replace("NAME", provider)}, and PROVIDER_CASCADE does not, so it is never asked. Correct the name, or add it there.`,
      );
  return [
    ...rules.flatMap(({ text, models }) => unknown(models, `MODEL_ROUTES names NAME in the rule "${text}"`)),
    ...unknown(consensus, "CONSENSUS_MODELS names NAME"),
  ];
}

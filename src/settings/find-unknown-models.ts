import type { RouteRule } from "../reason/route/read-routes.ts";

/** The providers of rules that the cascade does not have. The rules stand nevertheless: what they keep from other providers stays kept. */
export function findUnknownModels(
  rules: readonly RouteRule[],
  cascade: readonly string[],
): readonly string[] {
  return rules.flatMap(({ text, models }) =>
    models
      .filter(({ provider }) => !cascade.includes(provider))
      .map(
        ({ provider }) =>
          `MODEL_ROUTES names ${provider} in the rule "${text}", and PROVIDER_CASCADE does not, so it is never asked. Correct the name, or add it there.`,
      ),
  );
}

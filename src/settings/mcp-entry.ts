import { z } from "zod";
import { type DeclaredEffect, effectLabels } from "../signal/service-effect.ts";

const texts = z.array(z.string().max(4096)).max(200);
/** A value of an entry as the text that others make of it; null stands for none. */
const value = z.unknown().transform((given, context): string | null => {
  const isLost = Number.isInteger(given) && !Number.isSafeInteger(given);
  if (given === null || (typeof given === "string" && given.length <= longestValue)) return given;
  if (!isLost && (typeof given === "number" || typeof given === "boolean")) return String(given);
  const message = isLost
    ? "this number has more digits than JSON keeps. Write it in quotes"
    : `expected a text of at most ${longestValue} characters, a number, true, false or null`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
const longestValue = 16_384;
const words = z
  .array(value)
  .max(200)
  .transform((given) => given.filter((one) => one !== null));
/** Values by their names. Null stands for none. */
const values = z
  .record(z.string().max(200), value)
  .transform((given) =>
    Object.fromEntries(Object.entries(given).flatMap(([name, one]) => (one === null ? [] : [[name, one]]))),
  );
const effect = z.enum(effectLabels);
const declaredEffect = z.union([
  effect.transform((label): DeclaredEffect => ({ effect: label, critical: null, destinations: [] })),
  z.strictObject({ effect, critical: texts.optional(), destinations: texts.optional() }).transform(
    (given): DeclaredEffect => ({
      effect: given.effect,
      critical: given.critical ?? null,
      destinations: given.destinations ?? [],
    }),
  ),
]);
/** What this program alone reads of an entry. */
export const ownPart = z.strictObject({
  read: texts.default([]),
  write: texts.default([]),
  hosts: texts.default([]),
  tools: z.record(z.string().max(200), declaredEffect).default({}),
  timeout: z.number().min(1).max(3600).optional(),
  login: z
    .strictObject({
      clientId: z.string().min(1).max(1000).optional(),
      clientSecret: z.string().min(1).max(4096).optional(),
      issuer: z.url({ protocol: /^https?$/ }).optional(),
      scopes: texts.default([]),
      hosts: texts.default([]),
    })
    .refine(({ clientSecret, issuer }) => clientSecret === undefined || issuer !== undefined, {
      error: "a clientSecret needs the issuer that it is for",
    })
    .optional(),
});
const common = {
  type: z.string().optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  passepartout: ownPart.optional(),
  importedFrom: z.string().optional(),
};
/** An entry of a server that is started. */
export const stdioEntry = z.object({
  ...common,
  command: z.string().min(1).max(4096),
  args: words.nullish().transform((given) => given ?? []),
  env: values.nullish().transform((given) => given ?? {}),
  cwd: z.string().min(1).max(4096).optional(),
});
/** An entry of a server of the network. */
export const httpEntry = z.object({
  ...common,
  url: z.string().max(4096),
  headers: values.nullish().transform((given) => given ?? {}),
});

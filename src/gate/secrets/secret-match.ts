/** The place of a secret in a text, and the rule that found it. Offsets in UTF-16 units, end excluded. */
export type SecretSpan = { readonly rule: string; readonly start: number; readonly end: number };

/** A span with the start of its match. The match may begin before the secret, at the name that it is assigned to. */
export type SecretMatch = SecretSpan & { readonly matchStart: number };

/** The most characters that a match takes up before its secret. */
export const maxContextLength = 400;

/** The maximum length of a secret that is no block and no configured key, in characters. */
export const maxSecretLength = 4096;

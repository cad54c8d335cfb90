/** The rules of the secrets that a text had: what carries a mask was made from a secret, and would write the mask in its place. */
export function masksIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\[masked: ([a-z0-9-]{1,60})\]/g), ([, rule = ""]) => rule);
}

/** The tag under which Emacs encrypts an entry. Text below such a headline is secret, encrypted or not. */
const cryptTag = "crypt";

/** The first line of PGP armour or of a private key, also in list items, quotations and fixed-width lines. */
const armour = /^[ \t]*(?:(?:[-+*:,>|#]|\d+[.)])[ \t]*)*-----BEGIN (?:PGP |[A-Z0-9 ]*PRIVATE KEY)/m;

/** True if a headline's own tags mark its text as encrypted. Case does not matter. */
export function hasCryptTag(localTags: readonly string[]): boolean {
  return localTags.some((tag) => tag.toLowerCase() === cryptTag);
}

/** False for a text in which no heading can be marked as encrypted, and which has no armour: it need not be parsed to know. */
export function mayHoldSecret(text: string): boolean {
  return text.includes("-----BEGIN ") || text.toLowerCase().includes(cryptTag);
}

/** True for a text that contains PGP armour or a private key. */
export function containsArmour(text: string): boolean {
  return text.includes("-----BEGIN ") && armour.test(text);
}

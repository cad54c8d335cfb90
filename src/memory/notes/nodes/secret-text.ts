/** The tag under which Emacs encrypts an entry; what stands below such a headline is secret, encrypted or not. */
const cryptTag = "crypt";

/** Text that is or was meant to be unreadable: PGP armour and private keys, in items, quotations and fixed-width lines too. */
const armour = /^[ \t]*(?:(?:[-+*:,>|#]|\d+[.)])[ \t]*)*-----BEGIN (?:PGP |[A-Z0-9 ]*PRIVATE KEY)/m;

/** True where a headline's own tags say that its text is encrypted, in any case. */
export function hasCryptTag(localTags: readonly string[]): boolean {
  return localTags.some((tag) => tag.toLowerCase() === cryptTag);
}

/** True for a text in which a block of armour or of a private key begins. */
export function containsArmour(text: string): boolean {
  return text.includes("-----BEGIN ") && armour.test(text);
}

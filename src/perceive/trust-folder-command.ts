/**
 * The owner declares the files of the session's workspace to be their own (`on`), or takes that back.
 * `isShown`: what that puts in force was shown to them.
 */
export type TrustFolder = { readonly kind: "trust-folder"; readonly on: boolean; readonly isShown?: boolean };

/**
 * What `/trust-folder` asks for: with `yes`, that what was shown is trusted. Null where its word is another.
 */
export function trustFolderCommand(word: string | null): TrustFolder | null {
  if (word !== "" && word !== "off" && word !== "yes") return null;
  return { kind: "trust-folder", on: word !== "off", ...(word === "yes" ? { isShown: true } : {}) };
}

import { findIdentifiers } from "../../signal/intent/identifiers.ts";

/** The URLs in a text, in their canonical form. */
export function linksIn(text: string): readonly string[] {
  return findIdentifiers(text)
    .filter(({ form }) => form === "url")
    .map(({ value }) => value);
}

/** The addresses in a text that lead people or money elsewhere: URLs, mail addresses, accounts. */
export function outwardAddressesIn(text: string): readonly string[] {
  return findIdentifiers(text)
    .filter(({ form }) => form === "url" || form === "address" || form === "account")
    .map(({ value }) => value);
}

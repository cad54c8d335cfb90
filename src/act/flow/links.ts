import { findIdentifiers } from "../../signal/intent/identifiers.ts";

/** The URLs in a text, in their canonical form. */
export function linksIn(text: string): readonly string[] {
  return findIdentifiers(text)
    .filter(({ form }) => form === "url")
    .map(({ value }) => value);
}

/**
 * The addresses in a text that lead people or money elsewhere: URLs, mail addresses, accounts. They are read as
 * who gets the text will see them: without what is invisible, and without the marks of an emphasis.
 */
export function outwardAddressesIn(text: string): readonly string[] {
  const seen = text
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .replaceAll(/\p{Z}/gu, " ")
    .replaceAll(/(?<![\p{L}\p{N}])[_*~]+|[_*~]+(?![\p{L}\p{N}])/gu, " ");
  const found = findIdentifiers(seen)
    .filter(({ form }) => form === "url" || form === "address" || form === "account")
    .map(({ value }) => value);
  return [...new Set([...found, ...accountsIn(seen), ...walletsIn(seen)])];
}

/** International bank accounts in any case and grouping: their check digits tell them from other words. */
function accountsIn(text: string): readonly string[] {
  const candidates = text.matchAll(
    /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:[ .-]?[a-z0-9]){11,30}(?![\p{L}\p{N}])/giu,
  );
  return [...candidates]
    .map(([found]) => found.replaceAll(/[ .-]/g, "").toUpperCase())
    .filter(hasCheckDigits);
}

/** ISO 13616: the account behind its country and check digits, as a number with letters from 10 to 35, is 1 modulo 97. */
function hasCheckDigits(account: string): boolean {
  const digits = [...account.slice(4), ...account.slice(0, 4)]
    .map((sign) => Number.parseInt(sign, 36))
    .join("");
  return BigInt(digits) % 97n === 1n;
}

/** Addresses of currencies without a bank, by the alphabets in which they are written: bech32, Base58 and hexadecimal digits. */
function walletsIn(text: string): readonly string[] {
  const found = text.matchAll(
    /(?<![\p{L}\p{N}])(?:[a-z]{2,5}1[ac-hj-np-z02-9]{25,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40})(?![\p{L}\p{N}])/gu,
  );
  return [...found].map(([wallet]) => wallet);
}

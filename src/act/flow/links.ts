import { type JsonObject, stringsIn } from "../../text/json.ts";
import { findIdentifiers, hostsLikeFiles, type Identifier } from "../../text/words/identifiers.ts";

/** The URLs in a text, in their canonical form. */
export function linksIn(text: string): readonly string[] {
  return findIdentifiers(text)
    .filter(({ form }) => form === "url")
    .map(({ value }) => value);
}

/** The URLs that a call was given to fetch. */
export function addressesGiven(args: JsonObject): readonly string[] {
  return stringsIn(args).flatMap(({ text }) => linksIn(text));
}

/**
 * The addresses in a text that lead people or money elsewhere: URLs, mail addresses, accounts, numbers to
 * call or to pay to. They are read as who gets the text will see them: without what is invisible, and
 * without the marks of an emphasis. `likeFiles`: a name that may be one of a file, "evil.org", counts too, as
 * who gets the text may see a link in it.
 */
export function outwardAddressesIn(text: string, likeFiles: boolean): readonly string[] {
  const seen = text
    .replaceAll(
      /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
      (entity: string, hex: string = "", decimal: string = "") =>
        characterOf(hex === "" ? Number(decimal) : Number.parseInt(hex, 16), entity),
    )
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .replaceAll(/\p{Z}/gu, " ")
    .replaceAll(/[\u3002\u2024]/g, ".")
    .replaceAll(/(?<![\p{L}\p{N}])[_*~]+|[_*~]+(?![\p{L}\p{N}])/gu, " ");
  const found = findIdentifiers(seen);
  const addresses = found
    .filter(({ form }) => form === "url" || form === "address" || form === "account")
    .map(({ value }) => value);
  const others = [...seen.matchAll(otherAddress)].map(([address]) => address);
  const names = likeFiles ? hostsLikeFiles(seen) : [];
  return [
    ...new Set([...addresses, ...accountsIn(seen), ...others, ...longNumbersIn(seen, found), ...names]),
  ];
}

function characterOf(code: number, otherwise: string): string {
  return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : otherwise;
}

/**
 * Addresses that only programs read: IPv6 in brackets, IPv4 as one number before a path, a share of
 * Windows, a scheme that an application obeys, and addresses of currencies without a bank by the alphabets
 * in which they are written (bech32, Base58, hexadecimal digits).
 */
const otherAddress =
  /\[[0-9a-f]{0,4}(?::[0-9a-f.]{0,15}){2,8}\]|(?<![\p{L}\p{N}.])(?:\d{8,10}|0x[0-9a-f]{8})(?=\/[\p{L}\p{N}])|\\\\[\p{L}\p{N}.-]+\\[\p{L}\p{N}]+|(?<![\p{L}\p{N}])(?:javascript|vbscript|data|tel|sms|callto|bitcoin|ethereum|lightning|magnet):[^\s:]\S{2,}|(?<![\p{L}\p{N}])(?:[a-z]{2,5}1[ac-hj-np-z02-9]{25,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-f]{40})(?![\p{L}\p{N}])/giu;

/**
 * Numbers to call, or of an account or a card: nine digits or more, or seven behind a plus. A date, a time
 * and an amount are none.
 */
function longNumbersIn(text: string, found: readonly Identifier[]): readonly string[] {
  let rest = text;
  for (const { form, start, end } of found)
    if (form !== "number") rest = rest.slice(0, start) + ";".repeat(end - start) + rest.slice(end);
  return [
    ...rest.matchAll(
      /(?<![\p{L}\p{N}.,#-])(?:\+\d(?:[ ()/.-]{0,2}\d){6,16}|\d(?:[ ()/-]{0,2}\d){8,18})(?![\p{L}\p{N}]|[.,]\d)/gu,
    ),
  ].map(([number]) => number.replaceAll(/[^+\d]/g, ""));
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

/**
 * ISO 13616: the account behind its country and check digits, as a number with letters from 10 to 35, is 1
 * modulo 97.
 */
function hasCheckDigits(account: string): boolean {
  const digits = [...account.slice(4), ...account.slice(0, 4)]
    .map((sign) => Number.parseInt(sign, 36))
    .join("");
  return BigInt(digits) % 97n === 1n;
}

import { isJsonArray, isJsonObject, type Json } from "../../text/json.ts";
import { secretWordsOfLanguages } from "../shell/secret-words.ts";

/**
 * Whether any text of a question is about a secret: in many languages, with blanks, marks and look-alike letters folded, and also where it is encoded.
 * A refusal by mistake costs a question; a question let through may cost a secret.
 */
export function asksForSecret(value: Json): boolean {
  return allTexts(value).flatMap(decoded).some(namesSecret);
}

function namesSecret(text: string): boolean {
  const visible = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();
  const folded = foldLetters(visible);
  const spaced = joinSpelled(folded.replace(/[_-]/g, " "));
  return (
    languages.test(visible) ||
    languages.test(joinSpelled(visible)) ||
    secretWords.test(folded.replace(/[^a-z0-9]/g, "")) ||
    [spaced, joinSpelled(visible.replace(/[_-]/g, " "))].some((words) => shortWords.test(words)) ||
    requests.some((request) => request.test(spaced))
  );
}

const languages = new RegExp(secretWordsOfLanguages, "u");

/** Long enough to mean nothing else where they stand inside other letters. */
const secretWords =
  /passw|pa55|passwort|kennwort|passphrase|passcode|passkey|contrasena|motdepasse|parola|wachtwoord|jelszo|lozinka|credential|zugangsdaten|anmeldedaten|logindat|logindetail|logininfo|secret(?!ar|ion)|writeonly|isprivate|xsensitive|issensitive|apikey|apischluss|apitoken|accesskey|accesstoken|accesscode|authtoken|authcode|authorizationcode|bearertoken|sessiontoken|sessionid|refreshtoken|cookie|connectionstring|databaseurl|secretkey|sshkey|idrsa|signingkey|privatekey|privatschlussel|encryptionkey|masterkey|personalkey|licensekey|securitycode|securityanswer|securityquestion|maidenname|verificationcode|confirmationcode|loginc|onetimecode|onetimep|backupcode|recoverycode|recoveryphrase|recoverykey|seedphrase|seedwords|mnemonic|twofactor|2fa|authenticator|creditcard|cardnumber|kreditkarte|kartennummer|debitcard|cvccode|cvvcode|bankaccountlogin|socialsecuritynumber|pincode|geheim|unlockcode|smscode|tannummer/;
const shortWords =
  /(?:^|[^a-z])(?:secrets?|tokens?|pin|puk|otp|totp|cvv|cvc|ssn|mfa|pwd|jwt|pat|(?:sms|push|photo|chip|m|i) ?tan)(?:$|[^a-z])/;

/** Keys and codes, where words around them say that they are somebody's own. */
const requests: readonly RegExp[] = [
  /\b(?:your|paste|enter|type|provide|supply|give|send|share|insert)\b[^.?!]{0,60}(?<!\b(?:issue|project|primary|foreign|sort|object|cache|ticket|arrow|any|this|that) )\bkeys?\b/,
  /\bkeys?\b[^.?!]{0,30}\b(?:of|for) your\b/,
  /\b(?:codes?|digits)\b[^?!]{0,80}\b(?:sent|sms|texted)\b/,
  /\b(?:codes?|digits)\b[^?!]{0,60}\b(?:from|on|in|by|to|via) (?:your |the )?(?:phone|e ?mail|app|device|text message)\b/,
  /\b(?:sent|sms|texted|received|digits?|sign in|log in|login)\b[^?!]{0,80}\bcodes?\b/,
  /\b(?:user ?(?:name)?|login|id)\s*(?:and|&|\+|\/|:|,)\s*(?:your )?pass\b/,
  /(?:^|[\s/~])\.?(?:env|ssh|netrc|npmrc|aws|gnupg)\b[^?!]{0,40}\b(?:file|content|contents|folder)/,
];

/** A text with everything that is encoded in it: base64, hexadecimal, percent-encoding and HTML entities. */
function decoded(text: string): readonly string[] {
  const parts = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [];
  const inside = parts.flatMap((part) => [
    Buffer.from(part, "base64").toString("utf8"),
    Buffer.from(part, "base64").toString("utf16le"),
    ...(/^[0-9a-f]+$/i.test(part) ? [Buffer.from(part, "hex").toString("utf8")] : []),
  ]);
  const unescaped = text
    .replace(/%([0-9a-f]{2})|\\u00([0-9a-f]{2})|&#x([0-9a-f]{1,4});/gi, (_, a = "", b = "", c = "") =>
      String.fromCharCode(Number.parseInt(`${a}${b}${c}`, 16)),
    )
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)));
  return [text, ...inside, ...(unescaped === text ? [] : [unescaped])];
}

/** Joins words that are spelled letter by letter: `p.i.n.` becomes `pin`. */
function joinSpelled(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])\p{L}(?:[\s._*-]+\p{L}(?![\p{L}\p{N}]))+/gu, (letters) =>
    letters.replace(/[\s._*-]+/g, ""),
  );
}

function foldLetters(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return [...plain].map((letter) => lookAlikes.get(letter) ?? letter).join("");
}

/** Letters of other scripts, and digits, that look like Latin letters. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [
    ["аαɑａ@", "a"],
    ["сϲ", "c"],
    ["ԁ", "d"],
    ["еεҽ€3", "e"],
    ["һ", "h"],
    ["іιı1!ӏ|", "i"],
    ["ϳј", "j"],
    ["кκ", "k"],
    ["ո", "n"],
    ["оοσ0", "o"],
    ["рρ", "p"],
    ["ѕ$5", "s"],
    ["тτ", "t"],
    ["υս", "u"],
    ["ѵν", "v"],
    ["ԝω", "w"],
    ["хχ", "x"],
    ["уγ", "y"],
    ["ß", "s"],
  ].flatMap(([letters = "", latin = ""]) => [...letters].map((letter) => [letter, latin] as const)),
);

function allTexts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isJsonArray(value)) return value.flatMap(allTexts);
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, item]) => [splitCamel(key), ...allTexts(item)])
    : [];
}

function splitCamel(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2");
}

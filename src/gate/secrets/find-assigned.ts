import { isPlaceholder, isScrambled, looksRandom } from "./looks-random.ts";
import type { SecretMatch } from "./secret-match.ts";

/** The secret that is assigned at a place, which holds `=`, `:`, `>` or `,`, to a name that says that it is one: `API_KEY=…`, `"password": "…"`, `<token>…</token>`, `Authorization: Bearer …`. */
export function assignedAt(text: string, at: number): SecretMatch | null {
  if (!mayFollowName(text, at) || !mayPrecedeValue(text, at)) return null;
  const kind = kindOfName(text, at);
  if (kind === null) return null;
  const value = valueAfter(text, at);
  if (value === null || !isSecretValue(kind, value)) return null;
  return { rule: "assigned-secret", start: value.start, end: value.end, matchStart: kind.start };
}

/** A comma follows a name in quotes, the first argument of a call, and the end of an XML tag follows a name. */
function mayFollowName(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = classes[text.charCodeAt(at - 1)] ?? 0;
  return code === comma
    ? isQuote(text.charCodeAt(at - 1))
    : code !== closingBracket || before === other || before === digit;
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}

/** A cheap test of most operators, which precede no secret: at most eight characters behind it eight follow of which a value can be made, and a digit is among the first forty. */
function mayPrecedeValue(text: string, at: number): boolean {
  let start = at + 1;
  while (start < at + 9 && (classes[text.charCodeAt(start)] ?? 0) === opening) start += 1;
  const limit = Math.min(text.length, start + 40);
  let digits = 0;
  let end = start;
  for (; end < limit; end += 1) {
    const kind = classes[text.charCodeAt(end)] ?? 0;
    if (kind === 0 || (kind === opening && end - start < 3)) break;
    if (kind === digit) digits += 1;
  }
  return end - start >= 8 && digits > 0;
}

/** How sure a name makes that its value is a secret. */
type Kind = { readonly strength: "secret" | "key" | "vendor"; readonly start: number };

/** The kind of the name that stands before an operator; null if the name is no secret's. */
function kindOfName(text: string, at: number): Kind | null {
  let end = at;
  for (let skipped = 0; skipped < 8 && beforeOperator.includes(text.charAt(end - 1)); skipped += 1) end -= 1;
  if (end === 0) return null;
  let start = end;
  while (start > 0 && end - start < 64 && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  if (end - start < 3) return null;
  if (text.charAt(at) === "," && text.charAt(start - 2) !== "(") return null;
  if (text.charAt(at) === ">" && (end < at || text.charAt(start - 1) !== "<")) return null;
  const strength = strengthOf(text.slice(start, end));
  return strength === null ? null : { strength, start };
}

function strengthOf(written: string): Kind["strength"] | null {
  const name = written.replaceAll(/[_.-]/g, "").toLowerCase();
  if (harmlessName.test(name)) return null;
  if (secretName.test(name)) return "secret";
  if (vendorName.test(name)) return "vendor";
  return keyName.test(name) ? "key" : null;
}

type Value = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
};

function valueAfter(text: string, at: number): Value | null {
  valuePattern.lastIndex = at + 1;
  const match = valuePattern.exec(text);
  const { quote = "", value = "" } = match?.groups ?? {};
  if (match === null || value === "") return null;
  const end = at + 1 + match[0].length;
  const next = text.charAt(end);
  const quoted = quote !== "";
  if (next === "(" || next === "[" || (quoted && next === " ")) return null;
  return { text: value, start: end - value.length, end, quoted };
}

function isSecretValue({ strength }: Kind, { text, quoted }: Value): boolean {
  if (text.length < 8 || isPlaceholder(text) || isReference(text)) return false;
  if (uuid.test(text)) return strength === "vendor";
  if (strength === "vendor") return text.length >= 14 && isScrambled(text, 3) && looksRandom(text);
  if (strength === "key")
    return !isHex(text) && text.length >= 16 && isScrambled(text, 4) && looksRandom(text, 3.5);
  if (isMadeOfWords(text) || (!quoted && isIdentifier(text))) return false;
  return isScrambled(text, quoted ? 1 : 2) && looksRandom(text, 2.75);
}

/** Whether a value only says where the secret is: a variable, an address, a path, a member of something. */
function isReference(text: string): boolean {
  return (
    /^[$<{%@&*~^]|^[./]|:\/\/|\$\{|\{\{|^(?:process|os|env|self|this|config|settings|req|ctx|args|options|params|data|props|state|vault|ref|file|arn|urn|sha\d+|md5)[.:[-]/i.test(
      text,
    ) || /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(text)
  );
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text);
}

/** Whether nearly all of a value is words, as in `RealtimeModelV4Options`. */
function isMadeOfWords(text: string): boolean {
  return text.replaceAll(/[A-Z][a-z]{2,}|[a-z]{3,}/g, "").length < text.length * 0.2;
}

/** Whether a value without quotes is the name of a type or a constant, such as `Uint8Array` or `EMPTY_INT32_ARRAY`. */
function isIdentifier(text: string): boolean {
  return /^[A-Za-z][a-z]+\d{1,3}(?:[A-Z][a-z]+)*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text);
}

function isNameCharacter(code: number): boolean {
  const kind = classes[code] ?? 0;
  return kind === digit || kind === other;
}

const comma = 44;
const closingBracket = 62;
const opening = 1;
const digit = 2;
const other = 3;
const symbol = 4;
/** What a character can be by its code: before a value, where it can stand in one too, or in a name and a value, or only in a value. */
const classes = new Uint8Array(128);
const charactersOfClasses = [
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.-", other],
  ["+/!@#$%^*:?", symbol],
  ["0123456789", digit],
  [" \t\\\"'`=>~", opening],
] as const;
for (const [characters, kind] of charactersOfClasses)
  for (const character of characters) classes[character.charCodeAt(0)] = kind;

/** What may stand behind an operator and before a secret, or in it. */
export const valueCharacters = charactersOfClasses.map(([characters]) => characters).join("");

const beforeOperator = " \t\"'`\\]:=!?|+";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const valuePattern =
  /[=>~]?[ \t]{0,4}(?:(?:Bearer|Basic|Token|ApiKey)[ \t]{1,4})?\\{0,3}(?<quote>["'`]{0,3})(?:(?:Bearer|Basic|Token|ApiKey)[ \t]{1,4})?(?<value>[A-Za-z0-9+/_.~!@#$%^*?-]{3,512}={0,3})/iy;
const secretName = anyOf(
  "passw(?:or)?d passphrase ^pwd pwd$ ^pass$ secret token credential apikey accesskey authkey privatekey signingkey encrypt(?:ion)?key masterkey sharedkey accountkey storagekey sessionkey ^authorization$ proxyauthorization ^xauth",
);
const keyName = /(?:key|auth|access|api|creds?)$|^(?:key|auth|access|api|creds?)/;
/** Endings of names that say something about a secret and hold none. */
const about =
  "type count limit name length size ids? uri url endpoint file path field policy prompt label hint regex pattern schema class style index code board frame word down up press space expiry expires expiration version algorithm arn ref prefix suffix store ring usage";
const kindsOfKey =
  "foreign primary cache sort partition i18n message translation idempotency object map query storage route react row item group lookup hot natural";
const harmlessName = anyOf(
  `public pubkey hash digest checksum integrity fingerprint csrf xsrf tokeni[sz] tokens$ author$ monkey$ turkey$ keyboard accessib accessor nexttoken pagetoken synctoken continuation pagination cancel (?:token|secret|password|key|credentials?)s?(?:${anyOf(about).source})$ (?:${anyOf(kindsOfKey).source})key$`,
);
const vendorName = anyOf(
  "adafruit airtable algolia alibaba asana atlassian confluence jira beamer bitbucket bittrex meraki cloudflare codecov cohere coapi coinbase confluent contentful datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku hubspot intercom jfrog artifactory bintray kraken kucoin launchdarkly linkedin looker mailchimp mailgun mapbox mattermost messagebird netlify newrelic nytimes okta plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumologic sumoaccess sumoapi sumokey sumosecret sumotoken telegr travis twitch twitter yandex zendesk softlayer cloudant ibmcloud",
);

/** A pattern of the words of a list. */
function anyOf(words: string): RegExp {
  return new RegExp(words.split(" ").join("|"));
}

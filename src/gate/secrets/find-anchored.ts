import { isPlaceholder, isScrambled, looksRandom } from "./looks-random.ts";
import type { SecretMatch } from "./secret-match.ts";

/** A secret that is recognised by a text inside it or before it. All of it is of visible ASCII characters, since a stream holds back no others. `pattern` is tried where `needle` stands; the group `head` is the secret's part before the needle, `token` the rest; without groups the match is the secret. */
type Anchored = {
  readonly rule: string;
  readonly needle: string;
  /** The characters of which one stands before the needle. */
  readonly before?: RegExp;
  readonly pattern: RegExp;
  readonly isSecret?: (token: string, match: RegExpExecArray) => boolean;
};

/** The secrets that a needle at a place leads to. */
export function anchoredAt(text: string, at: number): readonly SecretMatch[] {
  const known = byBeginning.get(text.slice(at, at + 2)) ?? byBeginning.get(text.charAt(at)) ?? [];
  return known.flatMap((each) => (text.startsWith(each.needle, at) ? (matchAt(text, at, each) ?? []) : []));
}

function matchAt(
  text: string,
  at: number,
  { rule, before, pattern, isSecret }: Anchored,
): SecretMatch | null {
  if (before?.test(text.charAt(at - 1)) === false) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return null;
  const { head, token } = match.indices?.groups ?? {};
  const start = head?.[0] ?? token?.[0] ?? at;
  const end = token?.[1] ?? at + match[0].length;
  const isFound = isSecret?.(text.slice(start, end), match) ?? looksRandom(text.slice(start, end));
  return isFound ? { rule, start, end, matchStart: Math.min(at, start) } : null;
}

/** A value of curl's `--user`: a name and a password, or a token instead of the name. */
function isLogin(login: string): boolean {
  const [name = "", ...rest] = login.replaceAll(/["']/g, "").split(":");
  const password = rest.join(":");
  if (isVariable(password) || isVariable(name)) return false;
  if (password === "") return isMadeUp(name);
  return (
    isMadeUp(password) || (password.length >= 5 && new Set(password).size >= 4 && !sampleWord.test(password))
  );
}

/** The password of an address. A word that stands for a password is none where the host does, or where examples of databases use it. */
function isAddressPassword(password: string, { groups }: RegExpExecArray): boolean {
  const { scheme = "", host = "" } = groups ?? {};
  if (password.length < 4 || isVariable(password) || isPlaceholder(password) || /^(.)\1*$/.test(password))
    return false;
  return isMadeUp(password) || (/^(?:https?|ftps?)$/i.test(scheme) && !sampleHost.test(host));
}

function isMadeUp(password: string): boolean {
  return password.length >= 7 && !isPlaceholder(password) && isScrambled(password, 1);
}

function isVariable(text: string): boolean {
  return /^[$<{[%*]|[{}<>]|\$\(|^(?:process|os|env)\./.test(text);
}

/** Words that stand for a password in a sample. */
const sampleWord = /pass|pwd|token|test|change|secret|key|your|example|admin|x{3}|y{3}|\*/i;

/** Hosts of documents and of this machine. */
const sampleHost =
  /example|localhost|^(?:host|hostname|server|proxy)$|^127\.|(?:^|\.)(?:test|demo|sample|invalid|local)(?:\.|$)/i;

/** The private members of a JSON Web Key (RFC 7517, 7518), by how their names begin. */
const privateMembers = ["d", "p", "q", "k"];

const anchored: readonly Anchored[] = [
  ...privateMembers.map((letter) => ({
    rule: "private-key",
    needle: `"${letter}`,
    pattern: /"(?:d[pq]?|p|qi?|k)\\?"\s{0,9}:\s{0,9}\\?"(?<token>[A-Za-z0-9_-]{40,700})\\?"/dy,
    isSecret: (value: string) =>
      /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && looksRandom(value, 4),
  })),
  {
    rule: "address-password",
    needle: "://",
    pattern:
      /(?<=(?<![A-Za-z0-9])(?<scheme>[A-Za-z][A-Za-z0-9+.-]{1,20})):\/\/[\w.~%!$&*+=-]{0,100}:(?<token>[\w.~%!$&()*+,;=^|{}-]{1,200})@(?<host>[\w.[\]-]{1,100})/dy,
    isSecret: isAddressPassword,
  },
  {
    rule: "npm-token",
    needle: "_authToken",
    pattern: /_authToken["']?[ \t]{0,3}[=:][ \t]{0,3}["']?(?<token>[\w.~%+/=:-]{8,200})/dy,
    isSecret: (token) => !/^(.)\1*$/.test(token),
  },
  {
    rule: "bundler-login",
    needle: "BUNDLE_",
    pattern:
      /BUNDLE_\w{3,60}["']?[ \t]{0,3}[=:][ \t]{0,3}["']?(?<token>[\w.~%!&*+-]{3,80}:[\w.~%!&*+-]{3,80})/dy,
    isSecret: (token) => !isPlaceholder(token),
  },
  {
    rule: "curl-login",
    needle: "curl",
    pattern:
      /curl\b[^\n]{0,300}?\s(?:-u|--user)(?:=|[ \t]{0,4})["']?(?<token>[\w.~%!$&()*+,;=^|{}@#/?\\-]{0,80}:["']?[\w.~%!$&()*+,;=^|{}@#/?\\:-]{0,80})/dy,
    isSecret: isLogin,
  },
  {
    rule: "telegram-token",
    needle: ":A",
    before: /\d/,
    pattern:
      /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<head>\d{5,16})):(?<token>A[A-Za-z0-9_-]{34})(?![A-Za-z0-9_-])/dy,
  },
  {
    rule: "mailchimp-key",
    needle: "-us",
    pattern: /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<head>[0-9a-z]{32}))-us\d{1,2}(?![A-Za-z0-9])/dy,
  },
  {
    rule: "azure-secret",
    needle: "Q~",
    pattern:
      /(?<=(?:(?<![A-Za-z0-9_~.-])|(?<=\\[nrt]))(?<head>[A-Za-z0-9_~.]{3}\d))Q~(?<token>[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~-])/dy,
  },
  {
    rule: "azure-storage-key",
    needle: "AccountKey=",
    pattern: /AccountKey=(?<token>[A-Za-z0-9+/=]{86,88})/dy,
  },
  {
    rule: "terraform-token",
    needle: ".atlasv1.",
    pattern:
      /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<head>[A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_=-]{60,70}/dy,
  },
  {
    rule: "maxmind-key",
    needle: "_mmk",
    pattern:
      /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<head>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk(?![A-Za-z0-9])/dy,
  },
  {
    rule: "facebook-token",
    needle: "|",
    before: /\d/,
    pattern:
      /(?<=(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(?<head>\d{15,16}))\|[0-9A-Za-z_-]{27,40}(?![A-Za-z0-9_-])/dy,
  },
  {
    rule: "slack-token",
    needle: "hooks.slack.com/",
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,100}/dy,
  },
  {
    rule: "teams-webhook",
    needle: "webhook.office.com/webhookb2/",
    pattern:
      /webhook\.office\.com\/webhookb2\/[a-z0-9@-]{60,90}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36}/dy,
  },
];

/** By the first two characters of the needles, or by the only one, with which no other begins. */
const byBeginning: ReadonlyMap<string, readonly Anchored[]> = Map.groupBy(anchored, ({ needle }) =>
  needle.slice(0, 2),
);
/** The first two characters of each needle, or its only one. */
export const beginningsOfNeedles: readonly string[] = [...byBeginning.keys()];

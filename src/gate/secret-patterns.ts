/** A named pattern. The group `token` is the secret, ends where the match ends, and must look random. */
export type SecretPattern = { readonly rule: string; readonly pattern: RegExp };

/** The maximum length of a match, in characters. */
export const maxMatchLength = 4096;

/** Nine of the ten named patterns; the tenth, `private-key`, is a block and has a file of its own. Every quantifier is bounded and no two neighbours can share a character for long, so that a scan takes linear time on any text. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    rule: "aws-access-key",
    pattern: /(?<![A-Za-z0-9])(?<token>(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})(?![A-Za-z0-9])/g,
  },
  {
    rule: "github-token",
    pattern: /(?<![A-Za-z0-9])(?<token>gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})/g,
  },
  {
    rule: "gitlab-token",
    pattern:
      /(?<![A-Za-z0-9])(?<token>gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|ffct)-[A-Za-z0-9_-]{20,255})/g,
  },
  {
    rule: "slack-token",
    pattern:
      /(?<![A-Za-z0-9])(?<token>(?:xox[abeoprs]|xapp|xoxe\.xox[bp])-[A-Za-z0-9-]{10,255})|(?<token>hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,100})/g,
  },
  {
    rule: "model-provider-key",
    pattern:
      /(?<![A-Za-z0-9])(?<token>(?:sk|pk)-(?:[a-z0-9]{2,12}-){0,3}[A-Za-z0-9_-]{20,255}|gsk_[A-Za-z0-9]{40,80}|hf_[A-Za-z]{34}|xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,60}|r8_[A-Za-z0-9]{37})/g,
  },
  {
    rule: "google-api-key",
    pattern:
      /(?<![A-Za-z0-9])(?<token>AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,255})/g,
  },
  {
    rule: "stripe-key",
    pattern: /(?<![A-Za-z0-9])(?<token>(?:sk|rk|whsec)_(?:(?:live|test|prod)_)?[A-Za-z0-9]{16,255})/g,
  },
  {
    rule: "json-web-token",
    pattern:
      /(?<![A-Za-z0-9_-])(?<token>ey[A-Za-z0-9_-]{12,1300}\.ey[A-Za-z0-9_/-]{8,1300}\.[A-Za-z0-9_/-]{10,1300})/g,
  },
  {
    rule: "assigned-secret",
    pattern:
      /(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credentials?)[A-Za-z0-9_-]{0,24}["'`]{0,2}[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}["'`]{0,2}(?<token>[A-Za-z0-9+/=_.~!@#$%^&*-]{8,200})/gi,
  },
];

/** Whether a token looks random and not written by a person: enough different characters, enough entropy, and no placeholder. */
export function looksRandom(token: string): boolean {
  const counts = countsOf(token);
  const distinct = counts.reduce((sum, count) => sum + Math.min(count, 1), 0);
  if (distinct < Math.min(12, Math.max(6, token.length / 4))) return false;
  if (/EXAMPLE|(?:x{4}|\*{3}|\.{3}|0{8}|1234567)/i.test(token)) return false;
  return entropy(counts, token.length) >= 3;
}

/** How often each ASCII character occurs. A text of many short tokens that are none is counted often, so an array is worth it. */
function countsOf(token: string): Uint16Array {
  const counts = new Uint16Array(128);
  for (let at = 0; at < token.length; at += 1) {
    const code = token.charCodeAt(at) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** Shannon entropy of the characters, in bits per character. */
function entropy(counts: Uint16Array, length: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum -= (count / length) * Math.log2(count / length);
  return sum;
}

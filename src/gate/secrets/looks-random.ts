/** Whether a text looks like a value that a program made: many different characters in no order that a person would type. */
export function looksRandom(text: string, leastEntropy = 3): boolean {
  const counts = countsOf(text);
  const distinct = counts.reduce((sum, count) => sum + Math.min(count, 1), 0);
  if (distinct < Math.min(12, Math.max(6, text.length / 4))) return false;
  return !isPlaceholder(text) && entropy(counts, text.length) >= leastEntropy;
}

/** Whether a text stands for a value instead of being one: `xxxx`, `EXAMPLE`, one character again and again, the alphabet. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

/** Whether a value mixes letters and digits as made-up values do and as words do not: `t7Rq9Zx2Lm`, not `sha256Digest`. */
export function isScrambled(text: string, leastChanges: number): boolean {
  const runs = text.match(/\d+|[A-Za-z]+/g) ?? [];
  let changes = 0;
  for (let at = 1; at < runs.length; at += 1)
    changes += Number(isNumber(runs[at]) !== isNumber(runs[at - 1]));
  return changes >= leastChanges;
}

function isNumber(run = ""): boolean {
  return run.charCodeAt(0) < 58;
}

const placeholder =
  /EXAMPLE|(.)\1{5}|x{4}|\*{3}|\.{3}|#{4}|12345678|abcdefgh|ABCDEFGH|(?:your|my|some|fake|dummy|sample)[-_]|replace[-_]?(?:me|with)|placeholder|changeme|redacted|masked|TokenHere|KeyHere/i;

/** How often each ASCII character occurs. A text of many short tokens that are none is counted often, so an array is worth it. */
function countsOf(text: string): Uint16Array {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) & 127;
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
